import type { ProgramAnswer } from '../api/types.ts';
import { Badge } from '../ui/badge.tsx';
import { plainText } from '../ui/plain-text.ts';
import { VERDICT_BADGES } from './looks.ts';
import { TextBlock } from './scrolling.tsx';

export const isReview = (answer: ProgramAnswer | undefined): boolean => answer?._meta.plasm.dry_verdict === 'review';

/** Whether it has what is understood, and not run yet: relations, loops, calls that change something. */
export function hasRefused(answer: ProgramAnswer | undefined): boolean {
  const dag = answer?._meta.plasm.comp as { nodes?: { op: string }[] } | undefined;
  return dag?.nodes?.some(({ op }) => op === 'refused') === true;
}

/** What a program would do, before it does. */
export function DryRun({ answer, isOld }: { answer: ProgramAnswer; isOld: boolean }) {
  const { dry_verdict = 'ok', reasons = [], estimated_calls, plan_commit_ref } = answer._meta.plasm;
  return (
    <section className="dry-run" aria-labelledby="dry-run" data-old={isOld || undefined}>
      <div className="row">
        <h3 id="dry-run">Dry run</h3>
        <span role="status">
          <Badge look={VERDICT_BADGES[dry_verdict]} />
        </span>
        {estimated_calls && <span className="muted">{callsIn(estimated_calls)}</span>}
        {plan_commit_ref && (
          <span className="muted">
            token <code>{plan_commit_ref}</code>
          </span>
        )}
      </div>
      {isOld && <p className="hint">The program has changed since: make another dry run before you accept it.</p>}
      {reasons.length > 0 && (
        <ul className="dry-run-reasons">
          {reasons.map((reason) => (
            <li key={reason}>{plainText(reason)}</li>
          ))}
        </ul>
      )}
      <TextBlock label="What the dry run says" text={textOf(answer.markdown)} />
    </section>
  );
}

function callsIn({ least, most }: { least: number; most: number | null }): string {
  const calls = (n: number) => (n === 1 ? 'call' : 'calls');
  if (most === null) return `${least} ${calls(least)} of the source, or more`;
  return `${least === most ? least : `${least} to ${most}`} ${calls(most)} of the source`;
}

/** Text for people stands between fences. */
export const textOf = (markdown: string): string => /^```text\n([\s\S]*?)\n```/.exec(markdown)?.[1] ?? markdown;
