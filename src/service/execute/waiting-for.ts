import type { Client } from '@temporalio/client';
import type { PlanRef } from '../../contract/hints.ts';
import type { PlanStatus } from '../../plan/lifecycle.ts';
import { readView } from '../read-plan.ts';
import { type Reason, type Way, whyPlan } from '../why.ts';
import { isPlanFile, type OperationFacts } from './facts.ts';
import { plainText } from './table.ts';

/** Why an operation stands still, or part of it, and by what it would go on. */
export type OperationWaits = Pick<Reason, 'what' | 'text' | 'task' | 'since' | 'until' | 'by'> & { ways?: Way[] };

const AT_WORK: readonly Reason['what'][] = ['running', 'queued'];
const MOST_TOLD = 10;

/** Of a program that is at work, nothing is asked: only a plan file may do that and wait for somebody, too. */
export async function waitsOf(
  client: Client,
  plan: PlanRef,
  status: PlanStatus,
  facts: OperationFacts | undefined,
): Promise<OperationWaits[]> {
  if (!facts || (status === 'executing' && !isPlanFile(facts))) return [];
  const view = await readView(client, plan);
  return whyPlan(view, Date.now())
    .filter(({ what }) => !AT_WORK.includes(what))
    .slice(0, MOST_TOLD)
    .map(({ ways, text, ...reason }) => {
      const error = reason.what === 'back_off' && view.tasks.find(({ id }) => id === reason.task)?.error;
      return { ...reason, text: error ? `${text}: ${error.message}` : text, ...(ways.length > 0 && { ways }) };
    });
}

/** A line for each reason. */
export function waitsText(planId: string, waits: readonly OperationWaits[]): string {
  return waits
    .map(({ text, ways = [] }) => [plainText(text), ...ways.map((way) => wayText(planId, way))].join(' · '))
    .join('\n\n');
}

function wayText(planId: string, way: Way): string {
  const plan = `plan \`${planId}\``;
  switch (way.command) {
    case 'answer': {
      const answers = way.options.map((option) => `\`${option.replaceAll('`', "'")}\``).join(', ');
      return `to answer: ${plan}, question \`${way.question}\`${answers && `, ${answers}`}`;
    }
    case 'release':
      return `to go on: release task \`${way.task}\` of ${plan}`;
    default:
      return `to go on: ${way.command} ${plan}`;
  }
}
