import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadPlan } from '../../src/service/read-plan.ts';
import { http, newHome } from '../support/engine.ts';
import { tempDir, until } from '../support/world.ts';

export const ROOT = join(import.meta.dirname, '../..');

const ENDED: string[] = ['completed', 'failed', 'stopped'];

/** An engine of its own, on which examples are run by the command line, as people run them. */
export async function exampleRunner() {
  const home = newHome({ HOLDPOINT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' });
  const engine = await home.up();
  const api = http(engine.url);
  return {
    home,
    engine,
    api,
    /** Starts an example in a directory; gives the id of its plan. */
    async start(name: string, directory: string, inputs: Record<string, string | number> = {}): Promise<string> {
      process.chdir(directory);
      const given = Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]);
      const { code, out, all } = await home.cli('run', `examples/${name}`, '--detach', ...given);
      if (code !== 0) throw new Error(all);
      return out.trim();
    },
    async view(id: string): Promise<ReadPlan> {
      return (await api.get(`/api/plans/${id}`)).json;
    },
    /** Waits for a question and answers it; gives what it asked. */
    async answer(id: string, task: string, choice: string): Promise<string> {
      const asked = await until(
        `${task} asks`,
        async () => {
          const { questions, state, error } = await this.view(id);
          if (ENDED.includes(state.status)) throw new Error(`it is ${state.status}: ${error?.message}`);
          return questions.find((question) => question.task === task);
        },
        150_000,
      );
      const { code, all } = await home.cli('answer', id, task, choice);
      if (code !== 0) throw new Error(all);
      return asked.prompt;
    },
    async ends(id: string): Promise<ReadPlan> {
      return await until(
        'the plan ends',
        async () => {
          const view = await this.view(id);
          return ENDED.includes(view.state.status) && view;
        },
        100_000,
      );
    },
    /** What a task wrote. */
    log: (id: string, task: string, attempt = 1) =>
      readFileSync(join(home.home, 'runs', id, 'logs', 'run-1', `${task}#${attempt}.1.log`), 'utf8'),
  };
}
export type ExampleRunner = Awaited<ReturnType<typeof exampleRunner>>;

/** A place like a checkout, in which what examples write is in nobody's way. */
export function checkout(): string {
  const directory = tempDir('checkout');
  for (const name of ['examples', 'node_modules']) symlinkSync(join(ROOT, name), join(directory, name));
  return directory;
}

export const taskOf = (view: ReadPlan, id: string) => view.tasks.find((task) => task.id === id)!;
