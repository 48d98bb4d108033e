import { setDiagnostics } from '@codemirror/lint';
import { EditorView } from '@codemirror/view';
import { useEffect, useImperativeHandle, useRef } from 'react';
import { diagnosticsOf, placeOf } from './diagnostics.ts';
import type { EditorProps } from './editor.tsx';
import { extensionsFor } from './extensions.ts';

/** The editor itself. It has its own text: what comes from outside goes in only where that is another. */
export default function CodeMirror({ value, onChange, readOnly, problems, label, help, ref }: EditorProps & Help) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const told = useRef(onChange);
  told.current = onChange;
  useEffect(() => {
    const made = new EditorView({
      doc: value,
      parent: place.current!,
      extensions: [
        extensionsFor({ label, help, readOnly: readOnly === true }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) told.current?.(state.doc.toString());
        }),
      ],
    });
    view.current = made;
    return () => made.destroy();
  }, [label, help, readOnly]);

  useEffect(() => {
    const { doc } = view.current!.state;
    if (doc.toString() !== value) view.current!.dispatch({ changes: { from: 0, to: doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const { state } = view.current!;
    view.current!.dispatch(setDiagnostics(state, diagnosticsOf(state.doc, problems)));
  }, [problems, label, help, readOnly]);

  useImperativeHandle(ref, () => ({
    goTo(line, column = 1) {
      const at = placeOf(view.current!.state.doc, line, column);
      view.current!.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.current!.focus();
    },
  }));
  return <div ref={place} className="editor-place" />;
}

interface Help {
  /** Id of what tells how it is used. */
  help: string;
}
