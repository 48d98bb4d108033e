import type { Plan, WaitingFor } from '../../api/types.ts';

/** Who ends a wait: somebody who may, time, or what else runs. */
type Who = 'people' | 'time' | 'others';

interface Wait {
  words: (waits: WaitingFor, plan: Plan) => string;
  who: Who;
  /** What those do who end it. */
  act?: 'approve' | 'resume' | 'release';
}

const taskOf = ({ task }: WaitingFor): string => task ?? 'a task';

/** What each wait is, in words; one that a newer server tells has the words of the API. */
export const WAITS: Partial<Record<WaitingFor['what'], Wait>> = {
  review: { words: () => 'A review: nothing starts before somebody approves it', who: 'people', act: 'approve' },
  resume: {
    words: ({ text }, { hold }) => {
      const isLimit = hold?.reason === 'cost_limit' || hold?.reason === 'provider_limit';
      if (isLimit && hold.message !== undefined) return `${capital(hold.message)}. It goes on when somebody resumes it`;
      return `${isInterrupted(text) ? 'Interrupted' : 'Paused'}: it goes on when somebody resumes it`;
    },
    who: 'people',
    act: 'resume',
  },
  start_time: { words: () => 'Its start time', who: 'time' },
  wait: { words: (waits) => `The wait of ${taskOf(waits)}`, who: 'time' },
  back_off: { words: (waits) => `The next attempt of ${taskOf(waits)}`, who: 'time' },
  release: {
    words: (waits) => `${taskOf(waits)} is held: it does not start before somebody releases it`,
    who: 'people',
    act: 'release',
  },
  slot: { words: ({ text }) => capital(text), who: 'others' },
  group: {
    words: ({ text }, { concurrency }) =>
      capital(text) + (concurrency?.place === undefined ? '' : `; its place in line: ${concurrency.place}`),
    who: 'others',
  },
  next_run: { words: ({ text }) => capital(text), who: 'others' },
};

const isInterrupted = (text: string): boolean => text.startsWith('resume: interrupted');
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const WHO: Record<Who, string> = {
  people: '',
  time: 'goes on by itself',
  others: 'goes on by itself when others are done',
};
