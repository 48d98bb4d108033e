import { Download } from 'lucide-react';
import { addressOf, planPath, taskPath } from '../../api/client.ts';
import type { Plan, Task } from '../../api/types.ts';
import { plainText } from '../../ui/plain-text.ts';
import { size } from '../logs/log-buffer.ts';
import { filesIn, type StoredValue, storedIn } from './stored.ts';

/** What a task gave to others. */
export function Outputs({ plan, task }: { plan: Plan; task: Task }) {
  const outputs = Object.entries(task.outputs ?? {});
  // Those of a question are its answer, which stands by itself.
  if (outputs.length === 0 || (task.answer && 'by' in task.outputs!)) return null;
  return (
    <section>
      <h3>Outputs</h3>
      <dl className="outputs">
        {outputs.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Output plan={plan} task={task} name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface OutputProps {
  plan: Plan;
  task: Task;
  name: string;
  value: unknown;
}

function Output({ plan, task, name, value }: OutputProps) {
  const href = addressOf(taskPath(plan.plan_id, task.id, `/outputs/${encodeURIComponent(name)}`));
  const stored = storedIn(value);
  if (stored) return <Stored stored={stored} href={href} name={`${task.id}.${name}`} />;
  const files = name === 'files' ? filesIn(value) : undefined;
  if (files) return <Files plan={plan} files={files} />;
  if (typeof value === 'string') return value === '' ? <span className="muted">empty</span> : <Block text={value} />;
  if (typeof value !== 'object' || value === null) return <code>{JSON.stringify(value)}</code>;
  return <Block text={JSON.stringify(value, null, 2)} />;
}

function Block({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <pre className="block" tabIndex={0}>
      {plainText(text)}
    </pre>
  );
}

/** Of what is kept outside the plan its ends are here, and all of it is to be had. */
function Stored({ stored, href, name }: { stored: StoredValue; href: string; name: string }) {
  const { bytes, json, head, tail, dropped } = stored;
  return (
    <>
      <a className="button" href={href} download={`${name.replaceAll(/[^\w.-]+/g, '-')}${json ? '.json' : '.txt'}`}>
        <Download aria-hidden size={16} /> {size(bytes)}
        {json && ' of JSON'}
      </a>
      {dropped !== undefined && <p className="hint">{size(dropped)} of it were not kept.</p>}
      {head !== undefined && <Block text={tail ? `${head}\n…\n${tail}` : head} />}
    </>
  );
}

const SHOWN = 100;

function Files({ plan, files }: { plan: Plan; files: ReturnType<typeof filesIn> & object }) {
  return (
    <ul className="output-files">
      {files.slice(0, SHOWN).map(({ path, sha256, bytes }) => (
        <li key={path}>
          <a href={addressOf(planPath(plan.plan_id, `/artifacts/${sha256}`))} download={path.split('/').at(-1)}>
            {path}
          </a>{' '}
          <span className="muted">{size(bytes)}</span>
        </li>
      ))}
      {files.length > SHOWN && <li className="muted">and {files.length - SHOWN} more</li>}
    </ul>
  );
}
