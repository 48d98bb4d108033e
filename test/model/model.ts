/**
 * Document 1's lifecycle for one fixed plan, written down again and knowing nothing of the rules in `src`: a task, a
 * question, a task, a question, a task. Its only freedom is when a running task ends.
 */
export const PLAN = (seconds: string): string => `
plan: 1
name: model
tasks:
  a: { run: "sleep ${seconds}" }
  one: { needs: a, approve: Go on? }
  b: { needs: one, run: "sleep ${seconds}" }
  two: { needs: b, approve: And on? }
  c: { needs: two, run: "sleep ${seconds}" }
`;
const QUESTIONS: Record<number, string> = { 1: 'one.1', 3: 'two.1' };
const STAGES = 5;

export interface Model {
  review: boolean;
  paused: boolean;
  /** Which of the tasks it is at. */
  stage: number;
  /** Whether that task has begun: it runs, or asks. */
  begun: boolean;
  ended?: 'completed' | 'failed' | 'stopped';
  /** A task failed while the plan was paused: that is acted on when it is resumed. */
  doomed: boolean;
  answered: Record<string, string>;
  /** The timeline's entries about people's doings and the end. */
  log: string[];
}

/** A plan that was just made: commands may come before anything of it begins. */
export const begin = (review: boolean): Model => ({
  review,
  paused: false,
  stage: 0,
  begun: false,
  doomed: false,
  answered: {},
  log: [],
});

/** What can begin does. */
export function starts(model: Model): Model | undefined {
  const after = settled(model);
  return after === model ? undefined : after;
}

export type Command =
  | { name: 'pause' | 'pause strictly' | 'resume' | 'stop' | 'approve' | 'read' }
  | { name: 'answer'; question: 'one.1' | 'two.1'; choice: 'approve' | 'reject' };

/** What a client was told: the status of the answer, or for `read` the plan's state. */
export type Told = number | string;

const asks = (model: Model): string | undefined => (model.begun ? QUESTIONS[model.stage] : undefined);
const runs = (model: Model): boolean => model.begun && QUESTIONS[model.stage] === undefined;

/** A running task ends. */
export const taskEnds = (model: Model): Model | undefined => (runs(model) && !model.ended ? next(model) : undefined);

/** Its worker was killed: what ran is to run again, which waits where the plan is paused. */
export const taskIsLost = (model: Model): Model | undefined =>
  runs(model) && !model.ended ? settled({ ...model, begun: false }) : undefined;

/** What a command does, and what its client is told; more than one when that may differ. */
export function take(model: Model, command: Command): { told: Told[]; model: Model } {
  const refused = (...told: Told[]) => ({ told: told.length > 0 ? told : [400], model });
  const log = (entry: string) => [...model.log, entry];
  if (command.name === 'read') return { told: states(model), model };
  if (command.name === 'answer') return answer(model, command.question, command.choice);
  if (model.ended) return refused();
  switch (command.name) {
    case 'stop':
      return { told: [204], model: { ...model, ended: 'stopped', log: log('PlanStopped') } };
    case 'pause':
    case 'pause strictly': {
      if (model.review || model.paused) return refused();
      if (runs(model) && command.name === 'pause strictly') return refused();
      return { told: [runs(model) ? 202 : 204], model: { ...model, paused: true, log: log('PlanPaused') } };
    }
    case 'resume':
      if (!model.paused) return refused();
      return { told: [204], model: settled({ ...model, paused: false, log: log('PlanResumed') }) };
    case 'approve': {
      if (model.review) return { told: [204], model: settled({ ...model, review: false, log: log('PlanApproved') }) };
      const question = asks(model);
      if (!question) return refused();
      const { model: after } = answer(model, question, 'approve');
      return { told: [204], model: after };
    }
  }
}

function answer(model: Model, question: string, choice: string): { told: Told[]; model: Model } {
  const given = model.answered[question];
  if (model.ended) return { told: given === choice ? [200, 400, 409] : [400, 404, 409], model };
  if (given !== undefined) return { told: [given === choice ? 200 : 409], model };
  if (asks(model) !== question) return { told: [404], model };
  const log = [...model.log, `QuestionAnswered ${question}`];
  const answered = { ...model.answered, [question]: choice };
  if (choice === 'approve') return { told: [200], model: next({ ...model, answered, log }) };
  return { told: [200], model: settled({ ...model, answered, log, begun: false, doomed: true }) };
}

const next = (model: Model): Model => settled({ ...model, stage: model.stage + 1, begun: false });

/** What can begin begins at once; past the last task the plan is over. */
function settled(model: Model): Model {
  if (model.ended || model.begun) return model;
  if (model.doomed && !model.paused) return { ...model, ended: 'failed', log: [...model.log, 'PlanFailed'] };
  if (model.stage === STAGES) return { ...model, ended: 'completed', log: [...model.log, 'PlanCompleted'] };
  return model.review || model.paused || model.doomed ? model : { ...model, begun: true };
}

/** The states that a reader may be shown. What was stopped is shown as executing until its command has ended. */
function states(model: Model): string[] {
  if (model.ended === 'stopped') return runs(model) ? ['stopped', 'executing'] : ['stopped'];
  if (model.ended) return [model.ended];
  if (model.review) return ['pending_review'];
  if (runs(model)) return ['executing'];
  if (model.paused) return ['paused'];
  if (!model.begun) return ['executing'];
  return ['awaiting_input'];
}
