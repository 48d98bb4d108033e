import type { Json } from '../../plan/json.ts';
import { isJsonObject } from '../plan-file/plain-json.ts';
import { ACTIONS, MAP_REDUCE } from './words.ts';

/**
 * Whether a text is a workflow file and no plan file: a list of steps, or a map with `commands` or with `steps` of their kind,
 * or a map-reduce file, which is then refused by its name. What says `plan` is a plan file, whatever else is in it.
 */
export function isWorkflowFile(content: Json): boolean {
  if (Array.isArray(content)) return content.some(isStep);
  if (!isJsonObject(content) || content.plan !== undefined || content.tasks !== undefined) return false;
  if (Array.isArray(content.commands)) return true;
  if (content.mode !== undefined || MAP_REDUCE.some((word) => isJsonObject(content[word]) && isTemplate(content[word])))
    return true;
  return Array.isArray(content.steps) && content.steps.some(isStep);
}

const isStep = (step: Json): boolean => isJsonObject(step) && ACTIONS.some((word) => Object.hasOwn(step, word));

const isTemplate = (words: Json): boolean => isJsonObject(words) && words.agent_template !== undefined;
