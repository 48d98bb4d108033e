import { http } from '../../support/engine.ts';

/** Asks the API for a plan over and over: the tasks that it has been told of as succeeded, until `end`. */
export function seenSucceeded(url: string, id: string) {
  const api = http(url);
  let seen: string[] = [];
  let ended = false;
  const asking = (async () => {
    while (!ended) {
      const answer = await api.get(`/api/plans/${id}`).catch(() => undefined);
      if (ended || answer?.status !== 200) continue;
      const tasks: { id: string; status: string }[] = answer.json.tasks;
      seen = tasks.filter(({ status }) => status === 'succeeded').map((task) => task.id);
    }
  })();
  return {
    /** From now on nothing counts; gives what was seen. */
    end(): string[] {
      ended = true;
      return seen;
    },
    asking,
  };
}
