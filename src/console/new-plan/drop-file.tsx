import { type DragEvent, type ReactNode, useState } from 'react';
import { notify } from '../ui/notices.tsx';

/** As the API has it. */
const MOST_BYTES = 2 * 1_024 * 1_024;

/** The text of a file, unless it is too long for a plan file: then that is said. */
export async function readFile(file: File | undefined): Promise<string | undefined> {
  if (!file) return undefined;
  if (file.size > MOST_BYTES) {
    notify(
      `${file.name} is no plan file: it has ${file.size.toLocaleString()} bytes, and at most 2 MiB can be read.`,
      'red',
    );
    return undefined;
  }
  try {
    return (await file.text()).replaceAll('\r\n', '\n');
  } catch (error) {
    notify(`${file.name} cannot be read: ${(error as Error).message}`, 'red');
    return undefined;
  }
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Takes a file that is dropped anywhere within. */
export function DropFile({ onFile, children }: { onFile: (text: string) => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button that opens a file does the same by keyboard.
    <div
      className="drop-file"
      data-over={isOver || undefined}
      onDragOverCapture={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
      }}
      onDropCapture={async (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        // The editor would put it in where it was dropped.
        event.stopPropagation();
        setOver(false);
        const text = await readFile(event.dataTransfer.files[0]);
        if (text !== undefined) onFile(text);
      }}
    >
      {children}
    </div>
  );
}
