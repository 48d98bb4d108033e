import { StringDecoder } from 'node:string_decoder';
import type { Json, JsonObject } from '../../plan/json.ts';
import { isObject } from './is-object.ts';

/** A line longer than this is not read as JSON: memory is bounded. */
const LONGEST_LINE = 32 * 1_024 * 1_024;

/** Reads what an agent tells as JSON, one object a line or one in all, and makes lines for people of it. */
export class AgentStream {
  /** What it gave in the end; undefined when it gave nothing. */
  result: string | undefined;
  /** It says itself that it failed, whatever its exit code. */
  failed: string | undefined;
  session: string | undefined;
  private readonly decoder = new StringDecoder('utf8');
  private readonly onSession: (id: string) => void;
  private open = '';

  constructor(onSession: (id: string) => void) {
    this.onSession = onSession;
  }

  /** Takes output; gives what of it the log shows. */
  write(chunk: Buffer): Buffer {
    const lines = (this.open + this.decoder.write(chunk)).split('\n');
    this.open = lines.pop()!;
    const shown = lines.map((line) => this.line(line));
    if (this.open.length > LONGEST_LINE) {
      shown.push(this.open);
      this.open = '';
    }
    return Buffer.from(shown.join(''));
  }

  end(): Buffer {
    const rest = this.open + this.decoder.end();
    this.open = '';
    return Buffer.from(rest.trim() === '' ? '' : this.line(rest));
  }

  private line(line: string): string {
    const told = parsed(line);
    if (told === undefined) return `${line}\n`;
    // `--output-format json` with `--verbose` gives all in one list.
    return (Array.isArray(told) ? told : [told]).map((one) => (isObject(one) ? this.told(one) : '')).join('');
  }

  private told(message: JsonObject): string {
    const { session_id, type } = message;
    if (typeof session_id === 'string' && session_id !== '' && session_id !== this.session) {
      this.session = session_id;
      this.onSession(session_id);
    }
    if (type === 'assistant') return spoken(message);
    if (type === 'system' && message.subtype === 'init') return `session ${String(session_id)}\n`;
    if (type !== 'result' && !('result' in message)) return '';
    this.result = typeof message.result === 'string' ? message.result : '';
    const errors = Array.isArray(message.errors) ? message.errors.filter((one) => typeof one === 'string') : [];
    if (message.is_error === true)
      this.failed = this.result || errors.join('; ') || String(message.subtype ?? 'it failed');
    return this.failed === undefined ? '' : `${this.failed}\n`;
  }
}

function parsed(line: string): JsonObject | Json[] | undefined {
  if (!/^\s*[{[]/.test(line)) return undefined;
  try {
    return JSON.parse(line) as JsonObject | Json[];
  } catch {
    return undefined;
  }
}

/** What the agent says, and which tools it uses. */
function spoken({ message }: JsonObject): string {
  const content = isObject(message) && Array.isArray(message.content) ? message.content : [];
  return content
    .map((part) => {
      if (!isObject(part)) return '';
      if (part.type === 'text' && typeof part.text === 'string') return `${part.text}\n`;
      return part.type === 'tool_use' ? `[${String(part.name)}]\n` : '';
    })
    .join('');
}
