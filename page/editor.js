/**
 * The page's editor of queries and programs: CodeMirror 6 with only what the page uses, which reads SPARQL by Traqula.
 * It must be given a shadow root: there CodeMirror's styles are constructed sheets, which a strict policy allows.
 */

import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { sparql } from "@codemirror/legacy-modes/mode/sparql";
import { linter } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completingProgram } from "./program/completion.js";
import { MODE } from "./program/steps.js";
import { completing } from "./sparql/completion.js";
import { formatted } from "./sparql/formatting.js";
import { issuesOf } from "./sparql/issues.js";

const PAUSE_MS = 400;

/** What the editor knows of a language: how it is coloured, completed, checked and laid out. */
const LANGUAGES = {
  sparql: ({ vocabulary }) => ({
    mode: StreamLanguage.define(sparql), complete: completing(vocabulary), check: issuesOf, format: formatted,
  }),
  program: ({ vocabulary, functions, check }) => ({
    mode: StreamLanguage.define(MODE), complete: completingProgram({ vocabulary, functions }), check,
  }),
};

// The page's own colours, which follow its light and dark modes.
const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.variableName, tags.special(tags.variableName)], color: "var(--variable)" },
  { tag: [tags.atom, tags.name, tags.url, tags.namespace, tags.propertyName], color: "var(--name)" },
  { tag: [tags.string, tags.number, tags.bool, tags.meta], color: "var(--caution)" },
  { tag: tags.comment, color: "var(--muted)" },
]);

const LOOK = EditorView.theme({
  "&": { color: "var(--ink)", fontSize: ".8125rem", maxHeight: "70vh" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.65" },
  ".cm-content": { caretColor: "var(--accent)", paddingBlock: ".5rem" },
  ".cm-cursor": { borderInlineStartColor: "var(--accent)" },
  ".cm-gutters": { background: "var(--surface)", color: "var(--muted)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { background: "var(--tint)", outline: "1px solid var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 25%, transparent)",
  },
  // CodeMirror underlines by pictures in data: addresses, which the policy blocks.
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--failure) 1px", textUnderlineOffset: "3px" },
  ".cm-tooltip": { background: "var(--surface)", color: "var(--ink)", border: "1px solid var(--rule)", borderRadius: "8px", overflow: "hidden" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxWidth: "min(40rem, 92vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: ".2rem .5rem", whiteSpace: "normal" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--tint)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal", fontFamily: "var(--sans, inherit)", fontSize: ".75rem" },
  ".cm-diagnostic-error": { borderInlineStart: "3px solid var(--failure)" },
});

// When typing replaces a selection, Chromium's own editing would write the old colours into a style attribute, which a
// strict policy blocks and reports. CodeMirror makes such a change itself instead.
const REPLACING = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const text = event.inputType === "insertText" ? event.data : event.inputType.startsWith("delete") ? "" : null;
    if (text === null || event.isComposing || view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    event.preventDefault();
    return true;
  },
});

/**
 * An editor in the shadow root, `{text(), setText(text), format(), goTo(offset), focus(), destroy()}`.
 * `onRun` is called on Ctrl+Enter (Cmd+Enter), `onChange` with the text after every change, `onIssues` with what is wrong
 * with it (`[{from, to, message}]`). Tab leaves the editor. `language` is sparql or program. `vocabulary` gives names of the
 * graph (see vocabulary.js); a program's editor takes `functions()`, the table of functions, and `check(text)`, its issues.
 */
export function openEditor(root, { text, label, language, onChange, onRun, onIssues, ...knowing }) {
  const run = { key: "Mod-Enter", run: () => { onRun(); return true; } };
  const { mode, complete, check, format } = LANGUAGES[language](knowing);
  const checking = linter(async (view) => {
    const issues = await check(view.state.doc.toString());
    onIssues(issues);
    return issues.map((issue) => ({ severity: "error", ...issue }));
  }, { delay: PAUSE_MS });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest([keymap.of([run]), REPLACING]),
        history(),
        lineNumbers(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        mode,
        syntaxHighlighting(COLOURS),
        autocompletion({ override: [complete], icons: false, activateOnCompletion: ({ type }) => type === "function" }),
        checking,
        LOOK,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
      ],
    }),
  });
  const now = () => view.state.doc.toString();
  // One step to take back, whatever was typed just before.
  const setText = (changed) => changed !== now() && view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: changed }, annotations: isolateHistory.of("full"),
  });
  return {
    text: now,
    setText,
    format: format && (() => setText(format(now()))),
    goTo(offset) {
      view.dispatch({ selection: { anchor: Math.min(offset, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

export { formatted, issuesOf };
