import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { Fault } from '../faults.ts';
import type { IdentityConfig } from '../identity-config.ts';
import type { Caller } from '../service/caller.ts';
import { type ApiKeys, callerOfKey, watchApiKeys } from './api-keys.ts';
import { createJwtReader } from './jwt.ts';
import { countWrongGuesses, MOST_WRONG } from './wrong-guesses.ts';

export interface Authentication {
  /** Who sends a request. Wrong keys are counted by address, and too many refused. */
  callerOf(request: IncomingMessage): Promise<Caller>;
  /** The same for a connection that was let in before: that is no guess, however often it is asked and however it ends. */
  recheck(request: IncomingMessage): Promise<Caller>;
  /** Calls whenever the keys have changed. */
  onChange(changed: () => void): void;
  stop(): void;
}

type Reader = (token: string) => Promise<Omit<Caller, 'trigger'>>;

/** Identifies callers by API key, by JWT, or by either; undefined when neither is configured. Throws CONFIG_INVALID. */
export function createAuthentication(
  config: IdentityConfig,
  logger: Logger,
  { mostWrong = MOST_WRONG } = {},
): Authentication | undefined {
  const { apiKeys: path, jwt, trustedProxies } = config;
  if (path === undefined && !jwt) return undefined;
  const guesses = countWrongGuesses(trustedProxies, mostWrong);
  const keys = path === undefined ? undefined : watchApiKeys(path, logger);
  const readJwt = jwt && createJwtReader(jwt);
  const identified = async (token: string): Promise<Caller> => ({
    ...(await identify(token, keys, readJwt)),
    trigger: 'rest',
  });
  return {
    async callerOf(request) {
      const token = tokenIn(request);
      await guesses.mustBeFew(request);
      try {
        return await identified(token);
      } catch (error) {
        const isGuess = error instanceof Fault && error.code === 'UNAUTHENTICATED' && !keys?.knew(token);
        if (isGuess) await guesses.count(request);
        throw error;
      }
    },
    recheck: async (request) => await identified(tokenIn(request)),
    onChange: (changed) => keys?.onChange(changed),
    stop: () => keys?.stop(),
  };
}

function tokenIn({ headers }: IncomingMessage): string {
  const { authorization } = headers;
  const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined) return token;
  const found =
    authorization === undefined ? 'there is no Authorization header' : 'the Authorization header is not one';
  throw new Fault('UNAUTHENTICATED', `${found}; send "Authorization: Bearer KEY"`);
}

/** Three parts with dots between them, as a JWT has. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

async function identify(token: string, keys: ApiKeys | undefined, readJwt: Reader | undefined) {
  const key = keys?.find(token);
  if (key) return callerOfKey(key);
  if (readJwt && (!keys || JWT.test(token))) return await readJwt(token);
  throw new Fault('UNAUTHENTICATED', 'the API key is not known');
}
