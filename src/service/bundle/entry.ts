/** One file of a bundle. */
export interface Entry {
  path: string;
  /** Undefined: it is gone. */
  open?: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>;
  /** What it has to be. */
  sha256?: string;
  /** It is packed already, as far as one knows, or too large to be packed in good time. */
  asIs?: true;
  /** Whose it is. */
  about?: { task: string; output?: string };
}

export const textEntry = (path: string, text: string): Entry => ({
  path,
  async *open() {
    yield Buffer.from(text);
  },
});

export const jsonEntry = (path: string, value: unknown): Entry =>
  textEntry(path, `${JSON.stringify(value, null, 2)}\n`);
