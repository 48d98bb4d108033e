import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Fault } from './faults.ts';
import { type IdentityConfig, identityConfig } from './identity-config.ts';
import { formatDuration, parseDuration } from './plan/duration.ts';

/** Everything Holdpoint takes from the environment, read once when a process starts. */
export interface Config {
  /** `HOLDPOINT_HOME`: state of this user's engine: database, addresses, logs, artifacts. Absolute path. */
  home: string;
  /** `${XDG_CACHE_HOME}/holdpoint`: what can be made again, such as the Temporal binary. Absolute path. */
  cache: string;
  /** `HOST`: the address the API listens on. Without configured authentication only loopback is allowed. */
  host: string;
  /** `PORT`: the API's port; undefined = 8420, or a free one when that is taken. */
  port: number | undefined;
  /** `TEMPORAL_CLI_PATH`: a `temporal` program to use for the embedded server. */
  temporalCliPath: string | undefined;
  /** `HOLDPOINT_TEMPORAL_DOWNLOAD_URL`: where the official Temporal CLI is downloaded from; a mirror may be named. */
  temporalDownloadUrl: string;
  /** `HOLDPOINT_TEMPORAL_UI_URL`: where people reach the Temporal Web UI, for links to it; without a slash at its end. */
  temporalUiUrl: string | undefined;
  /** `HOLDPOINT_SQLITE_SYNCHRONOUS`: NORMAL survives any process crash; FULL also survives a power cut. */
  sqliteSynchronous: 'NORMAL' | 'FULL';
  /** `HOLDPOINT_LOG_LEVEL`: a pino level. */
  logLevel: string;
  /**
   * `HOLDPOINT_ALLOW_PRIVATE_HOSTS`: what `http` tasks may reach besides public addresses: host names and addresses, with or
   * without a port, CIDRs, or `*`; separated by commas.
   */
  allowPrivateHosts: string[];
  /** `HOLDPOINT_RETENTION`: whether files of plans that Temporal has forgotten are removed, or only told of in the log. */
  retention: 'report' | 'remove';
  /** `HOLDPOINT_SECRET_NAME`: the value that plans may use as the secret NAME. A function, so that no value is shown with the rest. */
  secret(name: string): string | undefined;
  secretNames: string[];
  /**
   * Where models are, for `llm` tasks: `HOLDPOINT_LLM_BASE_URL`, `HOLDPOINT_LLM_MODEL`, the file of profiles
   * `HOLDPOINT_LLM_MODELS`, and `HOLDPOINT_LLM_API_KEY`, by a function, or the key that a profile names.
   */
  llm: {
    baseUrl: string | undefined;
    model: string | undefined;
    modelsFile: string | undefined;
    key(variable?: string): string | undefined;
  };
  identity: IdentityConfig;
  /** Names of all the variables of Holdpoint that are set. */
  settings: string[];
  /** `HOLDPOINT_ALLOWED_ORIGINS`: origins of web pages, besides the server's own, that may open its WebSocket; separated by commas. */
  allowedOrigins: string[];
  /** `HOLDPOINT_AGENT_COMMAND`: what runs the `claude:` steps of workflow files, as words; the step's text is one more at their end. */
  agentCommand: string[];
  /** `HOLDPOINT_PIPELINES`: a directory with pipeline templates in place of the shipped ones of the same names. Absolute path. */
  pipelines: string | undefined;
  /** `HOLDPOINT_BUILD_COMMAND`: what the build check of a pipeline runs, by bash; without it there is none. */
  buildCommand: string | undefined;
  /** `HOLDPOINT_ON_RESTART`: whether pipelines of agents go on when the engine starts anew, or wait for somebody to resume them. */
  onRestart: 'continue' | 'interrupt';
  /** Of programs. `HOLDPOINT_EXECUTE_SESSION_TTL`: how long a session lives that nobody uses; `HOLDPOINT_PLAN_COMMIT_TTL`: a dry run's token. */
  execution: { sessionTtlMs: number; commitTtlMs: number };
}

const SECRET = 'HOLDPOINT_SECRET_';
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads and checks the environment; throws the fault CONFIG_INVALID that names the variable. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const at = (base: string | undefined, ...rest: string[]) => join(base || join(homedir(), ...rest), 'holdpoint');
  return {
    home: resolve(env.HOLDPOINT_HOME || at(env.XDG_STATE_HOME, '.local', 'state')),
    cache: at(env.XDG_CACHE_HOME, '.cache'),
    host: env.HOST || '127.0.0.1',
    port: env.PORT ? portOf(env.PORT) : undefined,
    temporalCliPath: env.TEMPORAL_CLI_PATH || undefined,
    temporalDownloadUrl: env.HOLDPOINT_TEMPORAL_DOWNLOAD_URL || 'https://temporal.download',
    temporalUiUrl: env.HOLDPOINT_TEMPORAL_UI_URL ? uiUrlOf(env.HOLDPOINT_TEMPORAL_UI_URL) : undefined,
    sqliteSynchronous: oneOf('HOLDPOINT_SQLITE_SYNCHRONOUS', env.HOLDPOINT_SQLITE_SYNCHRONOUS?.toUpperCase(), [
      'NORMAL',
      'FULL',
    ] as const),
    logLevel: oneOf('HOLDPOINT_LOG_LEVEL', env.HOLDPOINT_LOG_LEVEL?.toLowerCase(), LOG_LEVELS, 'info'),
    allowPrivateHosts: hostsOf(env.HOLDPOINT_ALLOW_PRIVATE_HOSTS ?? ''),
    retention: oneOf('HOLDPOINT_RETENTION', env.HOLDPOINT_RETENTION?.toLowerCase(), ['report', 'remove'] as const),
    secret: (name) => env[SECRET + name] || undefined,
    secretNames: Object.keys(env).flatMap((name) => (name.startsWith(SECRET) ? [name.slice(SECRET.length)] : [])),
    llm: {
      baseUrl: env.HOLDPOINT_LLM_BASE_URL ? baseUrlOf(env.HOLDPOINT_LLM_BASE_URL) : undefined,
      model: env.HOLDPOINT_LLM_MODEL || undefined,
      modelsFile: env.HOLDPOINT_LLM_MODELS ? resolve(env.HOLDPOINT_LLM_MODELS) : undefined,
      key: (variable = 'HOLDPOINT_LLM_API_KEY') => env[variable] || undefined,
    },
    identity: identityConfig(env),
    settings: Object.keys(env)
      .filter((name) => name.startsWith('HOLDPOINT_') && env[name])
      .sort(),
    allowedOrigins: originsOf(env.HOLDPOINT_ALLOWED_ORIGINS ?? ''),
    pipelines: env.HOLDPOINT_PIPELINES ? directoryOf(env.HOLDPOINT_PIPELINES) : undefined,
    buildCommand: env.HOLDPOINT_BUILD_COMMAND || undefined,
    onRestart: oneOf('HOLDPOINT_ON_RESTART', env.HOLDPOINT_ON_RESTART?.toLowerCase(), [
      'continue',
      'interrupt',
    ] as const),
    execution: {
      sessionTtlMs: durationOf('HOLDPOINT_EXECUTE_SESSION_TTL', env.HOLDPOINT_EXECUTE_SESSION_TTL || '24h', 60_000),
      commitTtlMs: durationOf('HOLDPOINT_PLAN_COMMIT_TTL', env.HOLDPOINT_PLAN_COMMIT_TTL || '10m', 1_000),
    },
    agentCommand: wordsOf('HOLDPOINT_AGENT_COMMAND', env.HOLDPOINT_AGENT_COMMAND || 'claude -p'),
  };
}

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host);

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Fault('CONFIG_INVALID', `PORT is "${text}"; give a whole number from 1 to 65535`);
  return port;
}

function durationOf(name: string, text: string, least: number): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms < least)
    throw new Fault(
      'CONFIG_INVALID',
      `${name} is "${text}"; give a duration of ${formatDuration(least)} or more, such as 24h`,
    );
  return ms;
}

/** Paths are put at its end. */
function uiUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || /[?#]/.test(text) || url.username || url.password)
    throw new Fault(
      'CONFIG_INVALID',
      `HOLDPOINT_TEMPORAL_UI_URL is "${text}"; give an http or https address such as https://temporal.example.org`,
    );
  return url.href.replace(/\/+$/, '');
}

/** Of an API like that of OpenAI, such as http://127.0.0.1:11434/v1. It may be private: whoever starts the engine says it. */
function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new Fault(
      'CONFIG_INVALID',
      // Not the text itself: it may hold a password.
      'HOLDPOINT_LLM_BASE_URL is no http or https address without a password; give one such as https://api.openai.com/v1',
    );
  return url.href.replace(/\/+$/, '');
}

function directoryOf(path: string): string {
  const directory = resolve(path);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new Fault('CONFIG_INVALID', `HOLDPOINT_PIPELINES is "${path}"; give a directory with pipeline templates`);
  return directory;
}

function hostsOf(text: string): string[] {
  const entries = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  for (const entry of entries)
    if (!isHostEntry(entry))
      throw new Fault(
        'CONFIG_INVALID',
        `HOLDPOINT_ALLOW_PRIVATE_HOSTS names "${entry}"; give host names or addresses such as db.internal, ` +
          '10.0.0.5:8080 or [::1]:8080, ranges such as 10.0.0.0/8, or *',
      );
  return entries;
}

function originsOf(text: string): string[] {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  for (const entry of entries)
    if (!URL.canParse(entry) || new URL(entry).origin !== entry)
      throw new Fault(
        'CONFIG_INVALID',
        `HOLDPOINT_ALLOWED_ORIGINS names "${entry}"; give origins such as https://app.example.org or http://localhost:3000`,
      );
  return entries;
}

/** The words of a command line, as a shell would split it; nothing in them is expanded, for no shell reads them. */
function wordsOf(name: string, text: string): string[] {
  const WORD = /\s*((?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+)/y;
  const words: string[] = [];
  for (let at = 0; text.slice(at).trim() !== ''; at = WORD.lastIndex) {
    WORD.lastIndex = at;
    const [, word] = WORD.exec(text) ?? [];
    if (word === undefined) throw new Fault('CONFIG_INVALID', `${name} is ${text}; a quote in it is not closed`);
    words.push(unquoted(word));
  }
  if (!words[0]) throw new Fault('CONFIG_INVALID', `${name} names no command; give one such as claude -p`);
  return words;
}

const unquoted = (word: string): string =>
  word.replace(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
    (_, single?: string, double?: string, one?: string) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? one!,
  );

function isHostEntry(entry: string): boolean {
  const [address, bits] = entry.split('/') as [string, string?];
  const family = isIP(address);
  if (bits !== undefined) return family !== 0 && /^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  const v6 = /^\[(.+)\](:\d+)?$/.exec(entry)?.[1];
  return entry === '*' || family !== 0 || (v6 ? isIP(v6) === 6 : /^[a-z0-9_.-]+(:\d{1,5})?$/.test(entry));
}

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
  fallback = allowed[0]!,
): T {
  const found = value === undefined || value === '' ? fallback : allowed.find((word) => word === value);
  if (found === undefined)
    throw new Fault('CONFIG_INVALID', `${name} is "${value}"; give one of ${allowed.join(', ')}`);
  return found;
}
