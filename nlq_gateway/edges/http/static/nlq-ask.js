/**
 * `<nlq-ask dataset="films" question="Who directed Pulp Fiction?"></nlq-ask>`: ask a gateway on any page, in one file.
 *
 *   <script src="https://kg.example.org/static/nlq-ask.js" defer></script>
 *
 * Attributes, none of them needed: `dataset`, `question` (asked at once), `lang`, `placeholder`, and `gateway`, the
 * address of another gateway than the one this file is from. The property `headers` goes with each request, for
 * credentials. Each answer is told by an event `answer`, whose `detail` is the document of /nlq.
 */
(() => {
  const HOME = new URL("..", document.currentScript.src).href;
  const MOST_ROWS = 20;
  const STYLE = `
    :host { display: block; font: inherit; color: inherit; }
    form { display: flex; gap: .5rem; }
    input { flex: 1; min-width: 0; }
    input, button { padding: .5em .75em; border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: .4em; background: transparent; color: inherit; font: inherit; }
    button { cursor: pointer; }
    :focus-visible { outline: 2px solid; outline-offset: 2px; }
    .headline { margin: .75em 0 .5em; font-size: 1.15em; }
    .rows { max-height: 24em; overflow: auto; }
    table { border-collapse: collapse; }
    th, td { padding: .3em .75em .3em 0; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: start; vertical-align: top; }
    td.number { text-align: end; font-variant-numeric: tabular-nums; }
    a { color: inherit; }`;

  const element = (tag, properties, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) if (value) node.setAttribute(name, value);
    node.append(...children.flat().filter(Boolean));
    return node;
  };

  // A column is named after its variable.
  const words = (name) => name.replace(/(\p{Ll})(\p{Lu})/gu, (_, end, start) => `${end} ${start.toLowerCase()}`);

  class Ask extends HTMLElement {
    static observedAttributes = ["question", "dataset", "gateway"];
    headers = {};
    #box = element("input", { type: "search", enterkeyhint: "search", autocomplete: "off" });
    #shown = element("div", { "aria-live": "polite" });
    #running = new AbortController();

    connectedCallback() {
      if (this.shadowRoot) return;
      const placeholder = this.getAttribute("placeholder") ?? "A question in plain words";
      this.#box.placeholder = placeholder;
      this.#box.setAttribute("aria-label", placeholder);
      const form = element("form", { role: "search" }, this.#box, element("button", { type: "submit" }, "Ask"));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.ask(this.#box.value);
      });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      root.append(form, this.#shown);
      this.attributeChangedCallback();
    }

    attributeChangedCallback() {
      const question = this.getAttribute("question");
      if (this.shadowRoot && question) this.ask(question);
    }

    /** Ask a question and show its answer. */
    async ask(text) {
      const question = text.replace(/\s+/g, " ").trim();
      if (!question) return;
      this.#box.value = question;
      this.#running.abort();
      this.#running = new AbortController();
      const { signal } = this.#running;
      this.#shown.replaceChildren(element("p", { class: "headline" }, "…"));
      try {
        const answer = await this.#answered(question, signal);
        if (signal.aborted) return;
        this.#shown.replaceChildren(...this.#views(answer));
        this.dispatchEvent(new CustomEvent("answer", { detail: answer, bubbles: true }));
      } catch (error) {
        if (!signal.aborted) this.#shown.replaceChildren(element("p", { class: "headline", role: "alert" }, error.message));
      }
    }

    get #gateway() {
      const given = this.getAttribute("gateway");
      return given ? new URL(given.endsWith("/") ? given : `${given}/`, document.baseURI).href : HOME;
    }

    async #answered(question, signal) {
      const asked = { question, dataset: this.getAttribute("dataset") ?? undefined, lang: this.getAttribute("lang") || undefined };
      const response = await fetch(new URL("nlq", this.#gateway), {
        method: "POST", signal, body: JSON.stringify(asked),
        headers: { ...this.headers, Accept: "application/json", "Content-Type": "application/json" },
      }).catch((error) => {
        // Browsers tell a page neither that a server is down nor that its origin is not allowed.
        throw signal.aborted ? error : new Error(`${this.#gateway} cannot be asked: it is down, or its server.cors does not have ${location.origin}.`);
      });
      const document_ = await response.json().catch(() => ({}));
      if (!response.ok) throw new Error([document_.title ?? "The gateway did not answer", document_.detail, document_.hint].filter(Boolean).join(". "));
      return document_;
    }

    #views({ answer, table, diagnosis, id }) {
      const said = answer?.text || "No answer was found.";
      const many = table?.rows?.length > 1 || table?.columns?.length > 1;
      const link = new URL(`?trace=${encodeURIComponent(id ?? "")}`, this.#gateway).href;
      return [
        element("p", { class: "headline", dir: "auto" }, said),
        diagnosis && element("p", { dir: "auto" }, diagnosis),
        many && this.#tableView(table),
        id && element("p", {}, element("a", { href: link, target: "_blank", rel: "noopener" }, "How it was answered")),
      ].filter(Boolean);
    }

    #tableView({ columns, rows, fields = [] }) {
      const cells = (row) => row.map((cell, at) => element("td", { dir: "auto", class: fields[at]?.type === "number" && "number" }, String(cell)));
      const more = rows.length > MOST_ROWS && element("p", {}, `${rows.length - MOST_ROWS} more rows`);
      return element("div", { class: "rows", tabindex: "0", role: "region", "aria-label": "Table" },
        element("table", {},
          element("thead", {}, element("tr", {}, columns.map((name) => element("th", { scope: "col", dir: "auto" }, words(name))))),
          element("tbody", {}, rows.slice(0, MOST_ROWS).map((row) => element("tr", {}, cells(row))))),
        more);
    }
  }

  customElements.define("nlq-ask", Ask);
})();
