import type { Tone } from '../../ui/badges.ts';
import type { SpanLook } from './spans.ts';

export const LOOK_WORDS: Record<SpanLook, { words: string; tone: Tone }> = {
  running: { words: 'running', tone: 'blue' },
  succeeded: { words: 'succeeded', tone: 'green' },
  failed: { words: 'failed', tone: 'red' },
  cancelled: { words: 'cancelled', tone: 'gray' },
  interrupted: { words: 'interrupted', tone: 'gray' },
  people: { words: 'waiting for people', tone: 'violet' },
  timer: { words: 'waiting for time', tone: 'teal' },
  back_off: { words: 'until the next attempt', tone: 'teal' },
};
