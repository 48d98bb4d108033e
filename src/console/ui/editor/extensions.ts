import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { planWords } from './complete-words.ts';

interface Wanted {
  label: string;
  help: string;
  readOnly: boolean;
}

export function extensionsFor({ label, help, readOnly }: Wanted): Extension {
  return [
    // The page's policy lets in no other styles.
    EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? ''),
    basicSetup,
    yaml(),
    readOnly ? [] : planWords(),
    syntaxHighlighting(colours),
    theme,
    lintGutter(),
    EditorView.lineWrapping,
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': help,
      spellcheck: 'false',
      // What is edited can be reached by keyboard anyway; said so that it is known of the part that scrolls, too.
      tabindex: '0',
      ...(readOnly && { 'aria-readonly': 'true' }),
    }),
  ];
}

/** The page's own colours, of which each is made for both themes. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--blue)' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.keyword], color: 'var(--violet)' },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.squareBracket, tags.brace], color: 'var(--muted)' },
  { tag: [tags.typeName, tags.labelName], color: 'var(--teal)' },
  { tag: tags.invalid, color: 'var(--red)' },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '0.92rem' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--selected) 45%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--selected)', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--blue-ground)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--orange-ground)' },
  '.cm-searchMatch-selected': { outline: '1px solid var(--orange)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: '1px solid var(--line)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--red) 1.5px' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--orange) 1.5px' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-ground)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', opacity: '1' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', maxWidth: '60ch' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--red)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--orange)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-textfield': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line-strong)' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--surface)', border: '1px solid var(--line-strong)' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--text)', minWidth: '24px', minHeight: '24px' },
});
