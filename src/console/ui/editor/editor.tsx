import { type Ref, useId } from 'react';
import { part } from '../part.tsx';
import './editor.css';

/** Something said about a place of a text; lines and columns count from 1. */
export interface TextProblem {
  message: string;
  line?: number | undefined;
  column?: number | undefined;
  /** `error` unless said. */
  severity?: 'error' | 'warning' | 'info';
}

export interface EditorHandle {
  /** Shows a place, and puts the cursor there. */
  goTo: (line: number, column?: number) => void;
}

export interface EditorProps {
  value: string;
  onChange?: (value: string) => void;
  readOnly?: boolean;
  problems: readonly TextProblem[];
  /** What it is called by those who do not see it. */
  label: string;
  ref?: Ref<EditorHandle>;
}

/** Larger than all else of the console together: only who sees an editor loads it. */
const CodeMirror = part(() => import('./code-mirror.tsx'), <p className="editor-wait muted">Loading the editor …</p>);

/** An editor of YAML, which marks what is wrong in the text. */
export function Editor(props: EditorProps) {
  const help = useId();
  return (
    <div className="editor">
      <CodeMirror {...props} help={help} />
      <p id={help} className="visually-hidden">
        {props.readOnly ? '' : 'Ctrl+Space offers words; Escape puts them away. '}
        Tab leaves the editor. Ctrl+F searches.
      </p>
    </div>
  );
}
