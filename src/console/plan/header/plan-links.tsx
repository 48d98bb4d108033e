import { Download, ExternalLink } from 'lucide-react';
import { addressOf, planPath } from '../../api/client.ts';
import type { About, Plan } from '../../api/types.ts';

/** Where else there is something of the plan. */
export function PlanLinks({ plan, about }: { plan: Plan; about: About | undefined }) {
  const ui = temporalAddress(about, plan.workflow_id);
  return (
    <p className="plan-links">
      {ui && (
        <a href={ui} target="_blank" rel="noopener noreferrer">
          <ExternalLink aria-hidden size={14} /> Temporal Web UI
        </a>
      )}
      <a href={addressOf(planPath(plan.plan_id, '/bundle'))} download>
        <Download aria-hidden size={14} /> Bundle
      </a>
    </p>
  );
}

function temporalAddress(about: About | undefined, workflowId: string): string | undefined {
  if (!about?.temporal.ui_url) return undefined;
  const { namespace, ui_url } = about.temporal;
  const path = `namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return `${ui_url.replace(/\/$/, '')}/${path}`;
}
