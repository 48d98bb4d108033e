import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { witness } from '../../support/world.ts';
import { FULL } from '../campaign.ts';

const [MAX_PARALLEL, MAP_PARALLEL] = [6, 2];
/** So many can be in flight when something dies: a batch of a map's items takes one slot of its plan. */
export const MOST_IN_FLIGHT = MAX_PARALLEL - 1 + MAP_PARALLEL;
const [LAYERS, WIDE, ITEMS] = [FULL ? 9 : 4, 4, 8];

/** What each task does: it says which earlier attempt of it is still alive (one that nobody has reaped yet is not), leaves its mark, takes a moment, and prints. */
const script = (dir: string) => `
file="${dir}/\${HOLDPOINT_TASK//\\//:}"
test -f "$file" && while read -r pid; do
  case $(ps -o stat= -p "$pid") in ""|Z*) ;; *) echo "$HOLDPOINT_TASK" >> "${dir}/overlaps" ;; esac
done < "$file"
echo $$ >> "$file"
echo x >> "${dir}/all"
sleep 0.15
echo "$1"
`;

const names = Array.from({ length: LAYERS * WIDE }, (_, i) => `t${i}`);
/** Two of the layer before. */
const needsOf = (i: number): number[] =>
  i < WIDE ? [] : [i - WIDE, i % WIDE === WIDE - 1 ? i - 2 * WIDE + 1 : i - WIDE + 1];

/** A plan of 40 tasks (a sample: of 20) that add up numbers: layers, a map, a sub-plan, a wait and an end that needs all. Its marks are outside of it. */
export function campaignPlan() {
  const { dir, n, path } = witness();
  const work = path('work.sh');
  writeFileSync(work, script(dir));
  const value = (task: string, output = 'stdout') => `\${{ tasks.${task}.outputs.${output} }}`;
  const add = (parts: string[]) => `bash ${work} $(( 1 + ${parts.length > 0 ? parts.join(' + ') : '0'} ))`;
  const layered = names.map((id, i) => {
    const needs = needsOf(i).map((need) => names[need]!);
    return [id, { needs, run: add(needs.map((need) => value(need))) }];
  });
  const last = names.slice(-WIDE);
  const sub = {
    outputs: { sum: value('b') },
    tasks: { a: { run: add([]) }, b: { needs: ['a'], run: add([value('a')]) } },
  };
  const tasks = {
    ...Object.fromEntries(layered),
    each: {
      needs: ['t0'],
      map: {
        in: Array.from({ length: ITEMS }, (_, k) => k),
        max_parallel: MAP_PARALLEL,
        task: { run: `bash ${work} \${{ item }}` },
      },
    },
    sub: { needs: ['t1'], plan: sub },
    nap: { needs: ['t2'], wait: '300ms' },
    end: {
      needs: [...last, 'each', 'sub', 'nap'],
      run: add([...last.map((id) => value(id)), value('each', 'succeeded'), value('sub', 'sum')]),
    },
  };
  const nested = [...Array.from({ length: ITEMS }, (_, k) => `each[${k}]`), 'sub/a', 'sub/b'];
  const counted = (task: string) => n(task.replaceAll('/', ':'));
  return {
    text: JSON.stringify({ plan: 1, name: 'campaign', max_parallel: MAX_PARALLEL, tasks }),
    /** The tasks that leave marks, and how many of each there are. */
    marks: { tasks: [...names, ...nested, 'end'], n: counted },
    /** How many attempts have begun, and how many are needed. */
    begun: () => n('all'),
    total: names.length + nested.length + 1,
    /** The marks of a task and of what is in it. */
    within: (id: string) =>
      [...names, ...nested, 'end'].filter(
        (task) => task === id || task.startsWith(`${id}/`) || task.startsWith(`${id}[`),
      ),
    /** Tasks of which an attempt began while an earlier one was alive. */
    overlaps: () => (existsSync(path('overlaps')) ? readFileSync(path('overlaps'), 'utf8').trim().split('\n') : []),
  };
}
export type CampaignPlan = ReturnType<typeof campaignPlan>;

/** What each layered task and the end print. */
export function rightOutputs(): Record<string, string> {
  const sums: number[] = [];
  for (const [i] of names.entries()) sums[i] = 1 + needsOf(i).reduce((sum, need) => sum + sums[need]!, 0);
  const end = 1 + sums.slice(-WIDE).reduce((sum, one) => sum + one, 0) + ITEMS + 2;
  return { ...Object.fromEntries(names.map((id, i) => [id, String(sums[i])])), end: String(end) };
}
