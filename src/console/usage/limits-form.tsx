import { type FormEvent, useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { amount, hasStrayComma, limitIn } from './amounts.ts';
import { type LimitField, leastFor } from './limit-fields.ts';

interface LimitsFormProps<Name extends string> {
  label: string;
  fields: LimitField<Name>[];
  /** The one that is reached, and what the call that was refused asks for. */
  reached: Name | undefined;
  needed: number | undefined;
  /** Why nothing can be saved. */
  refusal: string | undefined;
  save: (changed: Partial<Record<Name, number | null>>) => Promise<void>;
}

/** Limits as fields, each with what is spent of it. What was typed stays, whatever is read meanwhile. */
export function LimitsForm<Name extends string>({
  label,
  fields,
  reached,
  needed,
  refusal,
  save,
}: LimitsFormProps<Name>) {
  const id = useId();
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({});
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState<{ failure?: string; saved?: true }>({});
  const changed = changesIn(fields, typed);
  const isWrong = fields.some((field) => wrong(field, typed[field.name]));
  const off =
    refusal ??
    (isWrong ? 'a limit is no number' : Object.keys(changed).length === 0 ? 'nothing is changed' : undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (off !== undefined || busy) return;
    setBusy(true);
    setTold({});
    try {
      await save(changed);
      setTyped({});
      setTold({ saved: true });
    } catch (error) {
      setTold({ failure: (error as Error).message });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="limits-form" aria-label={label} noValidate onSubmit={submit}>
      <div className="limits-fields">
        {fields.map((field) => {
          const { name, words, unit, max } = field;
          const why = wrong(field, typed[name]);
          return (
            <div key={name} className="field" data-reached={name === reached || undefined}>
              <label htmlFor={`${id}-${name}`}>
                {words}
                {name === reached && <span className="limits-reached"> (reached)</span>}
              </label>
              <input
                id={`${id}-${name}`}
                inputMode={unit === 'tokens' ? 'numeric' : 'decimal'}
                autoComplete="off"
                placeholder="no limit"
                value={typed[name] ?? (max === null ? '' : amount(max))}
                aria-invalid={why !== undefined || undefined}
                aria-describedby={`${id}-${name}-spent`}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
              />
              <p id={`${id}-${name}-spent`} className={why === undefined ? 'hint' : 'field-error'}>
                {why ?? spentWords(field, name === reached ? needed : undefined)}
              </p>
            </div>
          );
        })}
      </div>
      <div className="row">
        <Button type="submit" refusal={off} busy={busy}>
          Save limits
        </Button>
        <span className="hint">An empty field is no limit.</span>
      </div>
      <p role="status" className="limits-saved">
        {told.saved && 'The limits are saved.'}
      </p>
      {told.failure !== undefined && (
        <p role="alert" className="field-error">
          {told.failure}
        </p>
      )}
    </form>
  );
}

const wrong = ({ unit, least }: LimitField, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const value = limitIn(text, unit);
  if (value === undefined && hasStrayComma(text))
    return unit === 'tokens'
      ? 'Give a whole number: commas part thousands only, as in 350,000'
      : 'Write decimals with a point, as in 0.50: commas part thousands only';
  if (value === undefined) return unit === 'tokens' ? 'Give a whole number, or nothing' : 'Give a number, or nothing';
  return value !== null && value < least ? 'Give more than 0, or nothing' : undefined;
};

function spentWords(field: LimitField, needed: number | undefined): string {
  const { spent, unit, each } = field;
  if (spent === undefined) return `Counted for each ${each} by itself`;
  const least = leastFor(field, needed);
  const forNext = least === undefined ? '' : `; for the next call it has to be ${amount(least)} at least`;
  return `Spent: ${amount(spent)}${unit === 'tokens' ? ' tokens' : ''}${forNext}`;
}

/** Only what is changed is sent: what somebody else has changed meanwhile stays. */
function changesIn<Name extends string>(fields: LimitField<Name>[], typed: Partial<Record<Name, string>>) {
  const changed: Partial<Record<Name, number | null>> = {};
  for (const { name, unit, max } of fields) {
    const text = typed[name];
    const value = text === undefined ? undefined : limitIn(text, unit);
    if (value !== undefined && value !== max) changed[name] = value;
  }
  return changed;
}
