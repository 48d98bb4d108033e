import { Check, CircleCheck, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DryRun, Me } from '../api/types.ts';
import { plainText } from '../ui/plain-text.ts';
import { duration } from '../ui/times.tsx';
import { Layers } from './layers.tsx';
import { mayDo } from './request.ts';
import type { Validation } from './use-validation.ts';

interface ForeseenProps {
  validation: Validation & { isCurrent: boolean };
  me: Me | undefined;
  isWaitingForInputs: boolean;
}

/** What the plan would do, in words, before anything is done. */
export function Foreseen({ validation: { dryRun, isCurrent }, me, isWaitingForInputs }: ForeseenProps) {
  if (isWaitingForInputs) return <p className="hint">The file is right. Give its inputs to see what it would do.</p>;
  if (!dryRun) return null;
  const { name, would_run, would_skip, permissions, questions, longest, warnings } = dryRun;
  return (
    <section className="card stack foreseen" aria-label="What it would do" aria-busy={!isCurrent}>
      <h2 className="foreseen-head">
        <CircleCheck aria-hidden size={18} /> {plainText(name)} would run {count(would_run.length, 'task')}
      </h2>
      {warnings.map((warning) => (
        <p key={warning} className="foreseen-warning" data-tone="orange">
          <TriangleAlert aria-hidden size={16} /> {plainText(warning)}
        </p>
      ))}
      <Layers dryRun={dryRun} />
      {would_skip.length > 0 && (
        <Facts title={`Would skip ${count(would_skip.length, 'task')}`}>
          {would_skip.slice(0, SHOWN).map(({ id, reason }) => (
            <li key={id}>
              <code>{id}</code>: {reason}
            </li>
          ))}
          <More of={would_skip.length} />
        </Facts>
      )}
      {questions.length > 0 && (
        <Facts title={`Would ask ${count(questions.length, 'question')}`}>
          {questions.slice(0, SHOWN).map((question) => (
            <li key={question.task ?? ''}>
              <QuestionWords question={question} />
            </li>
          ))}
          <More of={questions.length} />
        </Facts>
      )}
      <Facts title="Needs">
        {permissions.map((permission) => (
          <PermissionWords key={permission} permission={permission} me={me} />
        ))}
      </Facts>
      <p>
        <strong>Longest time:</strong> {longestWords(longest)}
      </p>
    </section>
  );
}

const SHOWN = 30;
const count = (number: number, what: string): string => `${number.toLocaleString()} ${what}${number === 1 ? '' : 's'}`;

const More = ({ of }: { of: number }) => (of > SHOWN ? <li className="muted">and {of - SHOWN} more</li> : null);

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul className="foreseen-list">{children}</ul>
    </div>
  );
}

function PermissionWords({ permission, me }: { permission: string; me: Me | undefined }) {
  const has = me === undefined || mayDo(me, permission);
  return (
    <li data-tone={has ? 'green' : 'red'} className="foreseen-permission">
      {has ? <Check aria-hidden size={16} /> : <X aria-hidden size={16} />}
      <code>{permission}</code> {has ? 'you have it' : 'you do not have it'}
    </li>
  );
}

function QuestionWords({ question }: { question: DryRun['questions'][number] }) {
  const { task, prompt, options, timeout_ms, on_timeout, per_item, when } = question;
  const more = [
    ...(Array.isArray(options) ? [options.join(' or ')] : []),
    ...(per_item ? ['for every item'] : []),
    ...(when === undefined ? [] : [`if ${when}`]),
    ...(timeout_ms === undefined ? [] : [`within ${duration(timeout_ms)}${on_timeout ? `, else ${on_timeout}` : ''}`]),
  ];
  return (
    <>
      {task === null ? 'The review' : <code>{task}</code>}: {plainText(prompt)}
      {more.length > 0 && <span className="muted"> ({plainText(more.join('; '))})</span>}
    </>
  );
}

function longestWords({ ms, unlimited }: DryRun['longest']): string {
  if (ms !== null) return `${duration(ms)}, not counting time on hold`;
  const some = unlimited.slice(0, 5).join(', ');
  const more = unlimited.length > 5 ? ` and ${unlimited.length - 5} more` : '';
  return `without limit, for ${some}${more} may take any time`;
}
