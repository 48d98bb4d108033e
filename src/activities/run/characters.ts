/** Whether a byte of UTF-8 is one inside a character, not its first. */
export const continuesCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Leaves out the bytes at the front whose character began before. */
export function wholeCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < Math.min(3, bytes.length) && continuesCharacter(bytes[start]!)) start++;
  return bytes.subarray(start);
}

/** The first so many characters of a text; one that would be cut in half is left out. */
export function firstCharacters(text: string, most: number): string {
  const splits = (text.codePointAt(most - 1) ?? 0) > 0xffff;
  return text.slice(0, splits ? most - 1 : most);
}

/** The last bytes of a stream, as text: decoded once, when all have come, so that no chunk's edge splits a character. */
export class TextTail {
  private readonly most: number;
  private bytes = Buffer.alloc(0);
  private cut = false;

  constructor(most: number) {
    this.most = most;
  }

  write(chunk: Buffer): void {
    const all = Buffer.concat([this.bytes, chunk.subarray(-this.most)]);
    this.cut ||= this.bytes.length + chunk.length > this.most;
    this.bytes = all.subarray(-this.most);
  }

  text(): string {
    return (this.cut ? wholeCharacters(this.bytes) : this.bytes).toString('utf8');
  }
}
