// What one would write by hand for one shape of plan and nothing else: no pause, no stop, no view, no next run.
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';

const { run } = proxyActivities({
  startToCloseTimeout: '1 day',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

export async function chain({ tasks }) {
  for (let i = 0; i < tasks; i++) await run({ task: `t${i}` });
}

export async function fanOut({ tasks, at_once }) {
  let next = 0;
  const lane = async () => {
    while (next < tasks) await run({ task: `t${next++}` });
  };
  await Promise.all(Array.from({ length: at_once }, lane));
}
