const REPEAT_MS = 10_000;

/** Passes on what is new, and what differs by its numbers alone only now and then: a build counts its seconds. */
export function sparingly(tell: (text: string) => void): (text: string) => void {
  let last = { form: '', at: 0 };
  return (text) => {
    const form = text.replace(/\d+/g, '#');
    if (form === last.form && Date.now() - last.at < REPEAT_MS) return;
    last = { form, at: Date.now() };
    tell(text);
  };
}
