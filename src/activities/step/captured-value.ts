import type { Json } from '../../plan/json.ts';
import { TaskFailure } from '../kind.ts';
import { NotJson, parseJsonText } from '../run/json-text.ts';
import type { CaptureFormat } from './step-words.ts';

/** What a command printed, as the value that `capture_format` asks for. */
export function capturedValue(name: string, text: string, format: CaptureFormat): Json {
  const refuse = (what: string): never => {
    throw new TaskFailure(`${name} cannot be captured: capture_format is ${format}, and the output ${what}`, {
      final: 'invalid',
    });
  };
  return FORMATS[format](text, refuse);
}

const FORMATS: Record<CaptureFormat, (text: string, refuse: (what: string) => never) => Json> = {
  string: (text) => text,
  lines: (text) => text.split(/\r?\n/).filter((line) => line !== ''),
  json(text, refuse) {
    try {
      return parseJsonText(text);
    } catch (error) {
      if (error instanceof NotJson) return refuse(`is not JSON: ${error.message}`);
      throw error;
    }
  },
  number(text, refuse) {
    const number = Number(text.trim());
    return text.trim() !== '' && Number.isFinite(number) ? number : refuse(`is ${shown(text)}`);
  },
  boolean(text, refuse) {
    const word = text.trim().toLowerCase();
    if (['true', '1', 'yes'].includes(word)) return true;
    return ['false', '0', 'no'].includes(word) ? false : refuse(`is ${shown(text)}; write true or false`);
  },
};

const shown = (text: string): string => JSON.stringify(text.slice(0, 60));
