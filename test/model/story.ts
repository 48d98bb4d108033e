import fc from 'fast-check';
import type { Command } from './model.ts';

/** What one run does: rounds of commands that several clients send at the same time, with kills of the engine between or amid. */
export interface LifecycleStory {
  review: boolean;
  rounds: Round[];
}

export interface Round {
  commands: Command[];
  /** Before the round, in ms. */
  rest: number;
}

const plain = fc.constantFrom(
  'pause' as const,
  'pause strictly' as const,
  'resume' as const,
  'stop' as const,
  'approve' as const,
  'read' as const,
);

const command: fc.Arbitrary<Command> = fc.oneof(
  // A stop ends the story, so it comes seldom.
  { weight: 12, arbitrary: plain.filter((name) => name !== 'stop').map((name) => ({ name })) },
  { weight: 1, arbitrary: fc.constant({ name: 'stop' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('answer' as const),
      question: fc.constantFrom('one.1' as const, 'two.1' as const),
      choice: fc.oneof(
        { weight: 5, arbitrary: fc.constant('approve' as const) },
        { weight: 1, arbitrary: fc.constant('reject' as const) },
      ),
    }),
  },
);

export const story: fc.Arbitrary<LifecycleStory> = fc.record({
  review: fc.boolean(),
  rounds: fc.array(
    fc.record({ commands: fc.array(command, { minLength: 1, maxLength: 4 }), rest: fc.constantFrom(0, 20, 150, 400) }),
    { minLength: 2, maxLength: 9 },
  ),
});
