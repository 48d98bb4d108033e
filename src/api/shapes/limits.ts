import { z } from 'zod';
import type { BudgetView, LimitsView } from '../../service/limits.ts';
import { chatId } from './pipeline.ts';

const tokens = z.int().min(0).nullable();
const cost = z.number().min(0).nullable();

const limits = z.strictObject({
  maxTokensPerChat: tokens.describe('Tokens, in and out together, of all runs of a chat'),
  maxTokensPerDay: tokens.describe('Tokens of a day (UTC)'),
  maxCostPerDay: cost.describe('Money of a day (UTC), in the currency of the model profiles'),
  maxCostPerProject: cost.describe('Money of a project'),
});
export const limitsBody = limits.partial();

export const spentOf = z.strictObject({
  chatId: chatId.optional().describe('A chat whose use is wanted, too'),
  projectId: z.string().min(1).max(150).optional().describe('A project whose use is wanted, too'),
});

const spent = z.object({
  tokens: z.int(),
  cost: z.number(),
  reserved: z.object({ tokens: z.int(), cost: z.number() }).describe('By calls in flight, as estimated'),
});

export const limitsView: z.ZodType<LimitsView> = z
  .object({
    ...limits.shape,
    limits: z.object(limits.shape).describe('The same'),
    spent: z.object({
      today: spent.extend({ date: z.string().describe('The day, UTC') }),
      chat: spent.optional().describe('Of the chat that was asked for'),
      project: spent.optional().describe('Of the project that was asked for'),
    }),
  })
  .meta({ id: 'Limits' });

export const budgetBody = z.strictObject({
  max_tokens: z.int().min(1).nullable().optional().describe('Tokens, in and out together, of all runs of the plan'),
  max_cost: z.number().positive().nullable().optional().describe('Money, in the currency of the model profiles'),
});

export const budgetView: z.ZodType<BudgetView> = z
  .object({
    plan_id: z.uuid(),
    budget: z.object({ max_tokens: z.int().nullable(), max_cost: z.number().nullable() }),
    spent,
  })
  .meta({ id: 'Budget' });
