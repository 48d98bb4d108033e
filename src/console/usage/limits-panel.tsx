import { useQuery } from '@tanstack/react-query';
import { call, planPath } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { Budget, Limits } from '../api/types.ts';
import { budgetFields, type LimitField, limitFields } from './limit-fields.ts';
import { LimitsForm } from './limits-form.tsx';
import { budgetQuery, limitsQuery, readLimitsAgain } from './queries.ts';
import { fieldOf, isEnough, type LimitReached } from './reached.ts';

/** The limits by which a plan is held, to be raised where one is told of it: those of the organisation, or the plan's own budget. */
export function LimitsPanel({ planId, ...props }: LimitsPanelProps & { planId: string }) {
  return props.reached.limit === 'plan' ? <BudgetOf planId={planId} {...props} /> : <LimitsOf {...props} />;
}

interface LimitsPanelProps {
  reached: LimitReached;
  /** What was refused before was refused by other limits. */
  onSaved: () => void;
}

function LimitsOf({ reached, onSaved }: LimitsPanelProps) {
  const { data, error } = useQuery(limitsQuery({ chatId: reached.chat, projectId: reached.project }));
  const refusal = useRefusal('admin');
  if (!data) return <Reading error={error} />;
  const save = async (limits: Partial<Limits['limits']>) => {
    await call('PUT', 'settings/limits', { body: limits });
    onSaved();
    await readLimitsAgain();
  };
  const fields = limitFields(data);
  return (
    <LimitsForm
      label="Limits"
      fields={fields}
      reached={reachedIn(fields, reached)}
      needed={reached.needed}
      refusal={refusal}
      save={save}
    />
  );
}

function BudgetOf({ planId, reached, onSaved }: LimitsPanelProps & { planId: string }) {
  const { data, error } = useQuery(budgetQuery(planId));
  const refusal = useRefusal('plan:approve');
  if (!data) return <Reading error={error} />;
  const save = async (budget: Partial<Budget['budget']>) => {
    const read = await call<Budget>('PUT', planPath(planId, '/budget'), { body: budget });
    onSaved();
    queryClient.setQueryData(budgetQuery(planId).queryKey, read);
  };
  const fields = budgetFields(data);
  return (
    <LimitsForm
      label="Budget"
      fields={fields}
      reached={reachedIn(fields, reached)}
      needed={reached.needed}
      refusal={refusal}
      save={save}
    />
  );
}

/** The one that is reached, until there is room under it again. */
const reachedIn = <Name extends string>(fields: LimitField<Name>[], reached: LimitReached): Name | undefined =>
  fields.find((field) => field.name === fieldOf(reached) && !isEnough(field, reached))?.name;

const Reading = ({ error }: { error: Error | null }) =>
  error ? (
    <p role="alert" className="field-error">
      {error.message}
    </p>
  ) : (
    <p className="muted">Reading the limits …</p>
  );

function useRefusal(permission: 'admin' | 'plan:approve'): string | undefined {
  const { data: me } = useQuery(meQuery);
  if (!me) return 'what you may do is not known yet';
  const may = me.permissions.includes('admin') || me.permissions.includes(permission);
  return may ? undefined : `needs the permission ${permission}, which you do not have`;
}
