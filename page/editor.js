/**
 * The page's SPARQL editor: CodeMirror 6 with only what the page uses.
 * It must be given a shadow root: there CodeMirror's styles are constructed sheets, which a strict policy allows.
 */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { sparql } from "@codemirror/legacy-modes/mode/sparql";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

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
 * An editor in the shadow root, `{text(), focus(), destroy()}`.
 * `onRun` is called on Ctrl+Enter (Cmd+Enter), `onChange` with the text after every change. Tab leaves the editor.
 */
export function openEditor(root, { text, label, onChange, onRun }) {
  const run = { key: "Mod-Enter", run: () => { onRun(); return true; } };
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
        StreamLanguage.define(sparql),
        syntaxHighlighting(COLOURS),
        LOOK,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
        keymap.of([...defaultKeymap, ...historyKeymap]),
      ],
    }),
  });
  return { text: () => view.state.doc.toString(), focus: () => view.focus(), destroy: () => view.destroy() };
}
