import { Problem } from '../api/client.ts';
import { plainText } from '../ui/plain-text.ts';
import { amount } from './amounts.ts';

/** Why something was refused, where it was asked for; of a limit with its numbers. */
export function Refused({ error }: { error: unknown }) {
  if (error === undefined) return null;
  const { spent, max, missing, unit } = error instanceof Problem ? error.document : ({} as Problem['document']);
  const what = unit === 'tokens' ? ' tokens' : '';
  return (
    <div role="alert" className="refused">
      <p>{plainText(error instanceof Error ? error.message : String(error))}</p>
      {spent !== undefined && max !== undefined && missing !== undefined && (
        <dl>
          <div>
            <dt>Spent or reserved</dt>
            <dd>
              {amount(spent)}
              {what}
            </dd>
          </div>
          <div>
            <dt>Limit</dt>
            <dd>
              {amount(max)}
              {what}
            </dd>
          </div>
          <div>
            <dt>Missing</dt>
            <dd>
              {amount(missing)}
              {what}
            </dd>
          </div>
        </dl>
      )}
    </div>
  );
}
