import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { TaskFailure } from '../kind.ts';

/** What the environment of the engine says of models. */
export interface LlmSettings {
  /** `HOLDPOINT_LLM_BASE_URL`. */
  baseUrl: string | undefined;
  /** `HOLDPOINT_LLM_MODEL`. */
  model: string | undefined;
  /** `HOLDPOINT_LLM_MODELS`: path of the file of model profiles. */
  modelsFile: string | undefined;
  /** `HOLDPOINT_LLM_API_KEY`, or the variable that a profile names. Functions, so that no key is shown with the rest. */
  key(variable?: string): string | undefined;
}

/** Which model is called, where, and what it costs. Costs are for a million tokens. */
export interface LlmModel {
  name: string;
  model: string;
  base_url: string;
  key(): string | undefined;
  input_cost: number;
  output_cost: number;
  /** How many tokens it can hold at once. */
  context?: number;
}

export interface LlmModels {
  /** A profile, or a model at the base URL; the first name that is one. What is not known fails the task for good. */
  named(...names: (string | undefined)[]): LlmModel;
  /** What must be shown nowhere. */
  keys: string[];
}

const profiles = z.record(
  z.string().regex(/^[A-Za-z_][\w-]{0,63}$/, 'a profile is named with letters, digits, "_" and "-"'),
  z.strictObject({
    model: z.string().min(1),
    base_url: z.url({ protocol: /^https?$/ }).optional(),
    api_key_env: z
      .string()
      .regex(/^[A-Za-z_]\w*$/, 'has to be the name of an environment variable')
      .optional(),
    input_cost: z.number().min(0).optional(),
    output_cost: z.number().min(0).optional(),
    context: z.int().min(1).optional(),
  }),
);
type Profiles = z.infer<typeof profiles>;

export const NO_MODELS: LlmModels = modelsOf(
  { baseUrl: undefined, model: undefined, modelsFile: undefined, key: () => undefined },
  {},
);

/** Reads the file of profiles; an error says what is wrong with it. */
export async function readModels(settings: LlmSettings): Promise<LlmModels> {
  const { modelsFile } = settings;
  return modelsOf(settings, modelsFile === undefined ? {} : await readProfiles(modelsFile));
}

async function readProfiles(path: string): Promise<Profiles> {
  const wrong = (message: string) => new Error(`HOLDPOINT_LLM_MODELS: ${path}: ${message}`);
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw wrong(`it cannot be read: ${error.message}`);
  });
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    throw wrong(`it is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`);
  }
  const { data, error } = profiles.safeParse(content);
  if (error)
    throw wrong(
      error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; '),
    );
  return data;
}

function modelsOf({ baseUrl, model: fallback, key }: LlmSettings, profiles: Profiles): LlmModels {
  return {
    named(...names) {
      const name = names.find((name) => name) ?? fallback;
      if (name === undefined) throw unknown('the task names no model, and the engine has no HOLDPOINT_LLM_MODEL');
      const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
      const base_url = profile?.base_url ?? baseUrl;
      if (base_url === undefined)
        throw unknown(
          `the engine does not know where the model ${name} is: start it with HOLDPOINT_LLM_BASE_URL in its environment`,
        );
      // A key belongs to its address: it is not sent to another one.
      const ownPlace = profile?.base_url !== undefined && profile.base_url !== baseUrl;
      return {
        name,
        model: profile?.model ?? name,
        base_url,
        key: () => (profile?.api_key_env ? key(profile.api_key_env) : ownPlace ? undefined : key()),
        input_cost: profile?.input_cost ?? 0,
        output_cost: profile?.output_cost ?? 0,
        ...(profile?.context !== undefined && { context: profile.context }),
      };
    },
    keys: [key(), ...Object.values(profiles).map(({ api_key_env }) => api_key_env && key(api_key_env))].filter(
      (key): key is string => Boolean(key),
    ),
  };
}

const unknown = (message: string) => new TaskFailure(message, { final: 'invalid' });
