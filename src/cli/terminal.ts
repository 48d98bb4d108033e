/** A terminal in front of a person; there is none in a pipe, in CI, or where the terminal can do nothing (`TERM=dumb`). */
export interface Terminal {
  /** Takes the lowest rows of the screen; what is printed meanwhile appears above them, and stays. */
  open(user: TerminalUser): Promise<LiveScreen>;
}

/** What is told about the terminal while it is taken. */
export interface TerminalUser {
  key(key: Key): void;
  resized(): void;
}

export interface LiveScreen {
  readonly columns: number;
  readonly rows: number;
  /** Whether keys are heard: standard input may be something else. */
  readonly hasKeys: boolean;
  /** Puts these rows in place of those drawn before, and lines that stay above them. */
  draw(rows: string[]): void;
  /** Puts lines that stay above what is drawn. */
  print(lines: string[]): void;
  /** Removes what was drawn and gives the terminal back as it was. Never fails, and may be called again. */
  close(): void;
}

/** `name` as Node's readline calls keys (`return`, `up`, `escape`); `text` is what the key types, if anything. */
export interface Key {
  name: string;
  text: string;
  ctrl: boolean;
}
