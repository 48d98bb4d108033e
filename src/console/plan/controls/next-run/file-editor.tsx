import { type Ref, useImperativeHandle, useRef } from 'react';

export interface FileEditorHandle {
  /** Shows a place, and puts the cursor there; both count from 1. */
  goTo: (line: number, column?: number) => void;
}

interface FileEditorProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  problems: readonly { message: string; line?: number; column?: number }[];
  ref: Ref<FileEditorHandle>;
}

/** The plan file as a text. */
export function FileEditor({ value, onChange, label, problems, ref }: FileEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({
    goTo: (line, column = 1) => {
      const before = value.split('\n').slice(0, line - 1);
      const at = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
      area.current?.focus();
      area.current?.setSelectionRange(at, at);
    },
  }));
  return (
    <textarea
      ref={area}
      className="mono next-run-file"
      aria-label={label}
      aria-invalid={problems.length > 0 || undefined}
      spellCheck={false}
      rows={16}
      value={value}
      onChange={(e) => onChange(e.target.value)}
    />
  );
}
