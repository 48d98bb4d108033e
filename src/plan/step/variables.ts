import type { Json, JsonObject } from '../json.ts';

/** What a step did, by the key that says so. */
export type Does = 'shell' | 'claude';

/** How a command of a step ended, for the texts of later ones. */
export interface Ended extends JsonObject {
  output: Json;
  exit_code: number;
  success: boolean;
}
/** What `capture` keeps: the value, and how its command ended as `${name.success}` and the like. */
export interface Captured extends JsonObject {
  value: Json;
  exit_code: number;
  success: boolean;
}

/** The outputs of a step, as later ones read them. */
export interface StepOutputs extends JsonObject {
  output: Json;
  exit_code: number;
  success: boolean;
  captured: Record<string, Captured>;
  /** How the last command of each kind ended, where handlers ran after the step's own. */
  handled: Record<string, Ended>;
}

/** An earlier step whose outputs a text reads. */
export interface Earlier {
  task: string;
  does: Does;
  /** The id that the file gives it. */
  id?: string;
}

/** The variables of a step's texts: the last one of a name counts. */
export class Variables {
  private readonly values = new Map<string, Json>();
  private readonly captures = new Map<string, Captured>();

  constructor(given: JsonObject = {}) {
    for (const [name, value] of Object.entries(given)) this.values.set(name, value);
  }

  ended(does: string, id: string | undefined, { output, exit_code, success }: Ended): void {
    for (const name of [does, 'last', ...(id === undefined ? [] : [id])])
      this.values.set(name, { output, exit_code, success });
  }

  set(name: string, value: Json): void {
    this.values.set(name, value);
  }

  capture(name: string, captured: Captured): void {
    this.captures.set(name, captured);
    this.values.set(name, captured.value);
  }

  /** Takes in what an earlier step left; one that was skipped left nothing. */
  take({ does, id }: Earlier, outputs: Partial<StepOutputs> | undefined): void {
    if (outputs?.success === undefined) return;
    const { output = '', exit_code = 0, success, captured = {}, handled = {} } = outputs;
    this.ended(does, id, { output, exit_code, success });
    for (const [name, ended] of Object.entries(handled)) this.values.set(name, ended);
    for (const [name, value] of Object.entries(captured)) this.capture(name, value);
  }

  /** Undefined where there is no such value. */
  read([root, ...fields]: readonly string[]): Json | undefined {
    const name = root!;
    const found = fields.reduce<Json | undefined>(fieldOf, this.values.get(name));
    if (found !== undefined || fields.length !== 1) return found;
    const { value: _, ...streams } = this.captures.get(name) ?? ({} as Partial<Captured>);
    return fieldOf(streams as JsonObject, fields[0]!);
  }
}

function fieldOf(value: Json | undefined, field: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined;
  return (value as JsonObject)[field];
}

/** The variables that a step begins with. */
export function variablesFrom(
  given: JsonObject,
  before: readonly Earlier[],
  outputsOf: (task: string) => JsonObject | undefined,
): Variables {
  const variables = new Variables(given);
  for (const earlier of before) variables.take(earlier, outputsOf(earlier.task) as Partial<StepOutputs> | undefined);
  return variables;
}
