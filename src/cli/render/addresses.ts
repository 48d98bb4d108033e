import { workflowId } from '../../contract/names.ts';
import type { Engine } from '../with-engine.ts';

/** Where the Temporal Web UI shows a plan; undefined when nobody knows where that is. */
export function temporalUiOf({ urls, caller }: Pick<Engine, 'urls' | 'caller'>, planId: string): string | undefined {
  if (!urls.temporalUi) return undefined;
  const id = encodeURIComponent(workflowId(caller.principal.org_id, planId));
  return `${urls.temporalUi.replace(/\/$/, '')}/namespaces/default/workflows/${id}`;
}
