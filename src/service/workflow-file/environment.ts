import type { JsonObject } from '../../plan/json.ts';
import { describe, quote } from '../plan-file/describe.ts';
import { isJsonObject, type Path } from '../plan-file/plain-json.ts';
import type { Report } from '../plan-file/problems.ts';

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `env` of the file or of a step: names to texts. Other kinds of values are refused by name, never dropped. */
export function readEnv(given: JsonObject, path: Path, report: Report): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const at = [...path, name];
    if (!VARIABLE.test(name)) report.problem(at, 'a variable is named with letters, digits and "_"', 'key');
    else if (typeof value === 'string' && !value.includes('\0')) env[name] = value;
    else if (typeof value === 'string') report.problem(at, 'a variable cannot hold the character NUL');
    else if (typeof value === 'number' || typeof value === 'boolean')
      report.problem(at, `is ${describe(value)}; it has to be text: write "${value}", in quotes`);
    else report.problem(at, (isJsonObject(value) && kindRefused(value)) || `is ${describe(value)}; it has to be text`);
  }
  return env;
}

function kindRefused(value: JsonObject): string | undefined {
  if ('command' in value)
    return '`command` values are not supported: run it in a `shell:` step with `capture: NAME`, and read `${NAME}`';
  if ('condition' in value)
    return '`condition` values are not supported: choose the value in the shell text that uses it';
  if ('secret' in value)
    return '`secret` values do not stand in files: name it under `secrets`, and give it to the engine as HOLDPOINT_SECRET_NAME';
  return undefined;
}

/** `secrets`, of which only the form `NAME: "${env:NAME}"` is taken: the value is the engine's HOLDPOINT_SECRET_NAME. */
export function readSecrets(given: JsonObject, path: Path, report: Report): string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const at = [...path, name];
    const from = typeof value === 'string' ? /^\$\{env:([A-Za-z_]\w*)\}$/.exec(value)?.[1] : undefined;
    if (!VARIABLE.test(name)) report.problem(at, 'a secret is named with letters, digits and "_"', 'key');
    else if (name.startsWith('HOLDPOINT_')) report.problem(at, 'names that begin with HOLDPOINT_ are taken', 'key');
    else if (from === name) names.push(name);
    else if (from !== undefined)
      report.problem(at, `takes the value of ${from}; a secret has one name: write \`${from}: "\${env:${from}}"\``);
    else if (isJsonObject(value))
      report.problem(
        at,
        `providers are not supported: write "\${env:${name}}", and give the engine HOLDPOINT_SECRET_${name}`,
      );
    else report.problem(at, `is no reference: write "\${env:${name}}", and give the engine HOLDPOINT_SECRET_${name}`);
  }
  return names;
}

/** `env_files`, or `env_file`: one path or a list. */
export function readEnvFileNames(content: JsonObject, report: Report): string[] {
  return ['env_files', 'env_file'].flatMap((word) => {
    const given = content[word];
    if (given === undefined) return [];
    return (Array.isArray(given) ? given : [given]).flatMap((path, i) => {
      if (typeof path === 'string' && path !== '' && !path.includes('\0')) return [path];
      const at = Array.isArray(given) ? [word, i] : [word];
      report.problem(at, `is ${path === '' ? quote('') : describe(path)}; it has to be the path of a file`);
      return [];
    });
  });
}
