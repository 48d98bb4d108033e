import { useRef, useState } from 'react';
import { call, planPath, requestId } from '../../../api/client.ts';
import { planQuery, queryClient } from '../../../api/queries.ts';
import type { Plan } from '../../../api/types.ts';
import { notify } from '../../../ui/notices.tsx';
import { readAgain } from '../send.ts';
import type { RunRequest } from './use-run-preview.ts';

/** Starts a next run, once; the page goes on with it. */
export function useStart(last: Plan, onStarted: () => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const isSent = useRef(false);
  const submit = async (request: RunRequest) => {
    if (isSent.current) return;
    isSent.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      await call('POST', planPath(last.plan_id, '/runs'), { body: { ...request, request_id: requestId() } });
      notify(`Run ${last.run + 1} of ${last.name} has been started.`, 'blue');
      await readUntil(last);
      onStarted();
    } catch (error) {
      setFailure(error as Error);
      await readAgain(last.plan_id);
    } finally {
      isSent.current = false;
      setBusy(false);
    }
  };
  return { busy, failure, submit };
}

const TRIES = 20;
const AGAIN_MS = 250;

/** Until the new run is what is read; while no worker is there that may take longer than anybody waits. */
async function readUntil({ plan_id, run }: Plan): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await readAgain(plan_id);
    const now = queryClient.getQueryData(planQuery(plan_id).queryKey);
    if (now && now.run > run) return;
    await new Promise((then) => setTimeout(then, AGAIN_MS));
  }
}
