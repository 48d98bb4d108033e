import { useQuery } from '@tanstack/react-query';
import { LIMIT_FIELD } from '../../plan/limit-fields.ts';
import { call, planPath } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { Budget, Limits } from '../api/types.ts';
import { budgetFields, limitFields } from './limit-fields.ts';
import { LimitsForm } from './limits-form.tsx';
import { budgetQuery, limitsQuery, readLimitsAgain } from './queries.ts';
import type { LimitReached } from './reached.ts';

/** The limits by which a plan is held, to be raised where one is told of it: those of the organisation, or the plan's own budget. */
export function LimitsPanel({ planId, reached }: { planId: string; reached: LimitReached }) {
  return reached.limit === 'plan' ? <BudgetOf planId={planId} reached={reached} /> : <LimitsOf reached={reached} />;
}

function LimitsOf({ reached }: { reached: LimitReached }) {
  const { data, error } = useQuery(limitsQuery({ chatId: reached.chat, projectId: reached.project }));
  const refusal = useRefusal('admin');
  if (!data) return <Reading error={error} />;
  const save = async (limits: Partial<Limits['limits']>) => {
    await call('PUT', 'settings/limits', { body: limits });
    await readLimitsAgain();
  };
  const field = LIMIT_FIELD[reached.limit];
  return (
    <LimitsForm
      label="Limits"
      fields={limitFields(data)}
      reached={field}
      needed={reached.needed}
      refusal={refusal}
      save={save}
    />
  );
}

function BudgetOf({ planId, reached: { unit, needed } }: { planId: string; reached: LimitReached }) {
  const { data, error } = useQuery(budgetQuery(planId));
  const refusal = useRefusal('plan:approve');
  if (!data) return <Reading error={error} />;
  const save = async (budget: Partial<Budget['budget']>) => {
    const read = await call<Budget>('PUT', planPath(planId, '/budget'), { body: budget });
    queryClient.setQueryData(budgetQuery(planId).queryKey, read);
  };
  const field = unit === 'cost' ? 'max_cost' : 'max_tokens';
  return (
    <LimitsForm
      label="Budget"
      fields={budgetFields(data)}
      reached={field}
      needed={needed}
      refusal={refusal}
      save={save}
    />
  );
}

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
