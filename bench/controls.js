// How long commands take over REST, beside the same Signal sent by a bare Temporal client in the same run.
import { existsSync, rmSync } from 'node:fs';
import { setImmediate as soon } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { benchHome, call, create, median, reaches, spread } from './engine.js';

const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: "Go on?" }\n';
const bench = benchHome();
const engine = await bench.up();
const { url } = engine;
const connection = await Connection.connect({ address: engine.temporal });
const client = new Client({ connection });

try {
  const id = await create(url, GATE);
  await reaches(url, id, 'awaiting_input');
  const handle = client.workflow.getHandle(`plan/local/${id}`);
  const [pause, resume, direct] = [[], [], []];
  for (let i = 0; i < 40; i++) {
    pause.push(await timed(() => call(url, 'PUT', `/api/plans/${id}/pause`), 204));
    resume.push(await timed(() => call(url, 'PUT', `/api/plans/${id}/resume`), 204));
    const request_id = `bench-${i}`;
    direct.push(
      await timed(async () => {
        await handle.signal('pause', { request_id, at: Date.now() });
        return { status: (await handle.query('control_outcome', request_id)).result === 'done' ? 204 : 500 };
      }, 204),
    );
    await call(url, 'PUT', `/api/plans/${id}/resume`);
  }
  console.log(`pause, signal to answer: ${spread(pause)}`);
  console.log(`resume, signal to answer: ${spread(resume)}`);
  console.log(`pause by a bare Temporal client: ${spread(direct)}`);
  console.log(`ratio: ${(median(pause) / median(direct)).toFixed(2)}`);

  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 10 }, () => call(url, 'PUT', `/api/plans/${id}/pause`)));
  const counts = [204, 400].map((status) => answers.filter((answer) => answer.status === status).length);
  console.log(
    `ten simultaneous pauses: ${counts[0]} × 204, ${counts[1]} × 400 in ${(performance.now() - began).toFixed(0)} ms`,
  );

  const next = [];
  for (let i = 0; i < 15; i++) {
    const mark = bench.path('mark');
    rmSync(mark, { force: true });
    const chain = `plan: 1\nname: next\nsteps:\n  - run: "sleep 0.3"\n  - run: "touch ${mark}"\n`;
    const plan = await create(url, chain);
    while ((await call(url, 'GET', `/api/plans/${plan}`)).json.current_task !== 'step-1');
    await call(url, 'PUT', `/api/plans/${plan}/pause`);
    await reaches(url, plan, 'paused');
    const at = performance.now();
    const answer = call(url, 'PUT', `/api/plans/${plan}/resume`);
    while (!existsSync(mark)) await soon();
    next.push(performance.now() - at);
    await answer;
  }
  console.log(`resume to the next task's start: ${spread(next)}`);
} finally {
  await connection.close();
  await engine.kill('SIGTERM');
  bench.remove();
}

async function timed(work, expected) {
  const began = performance.now();
  const { status } = await work();
  if (status !== expected) throw new Error(`${status}, not ${expected}`);
  return performance.now() - began;
}
