import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { Fault } from '../faults.ts';
import type { IdentityConfig } from '../identity-config.ts';
import { mustBeOfSameOrigin, READS } from '../origin.ts';
import type { Caller } from '../service/caller.ts';
import { type ApiKeys, callerOfKey, watchApiKeys } from './api-keys.ts';
import { createJwtReader } from './jwt.ts';
import { endedSessionCookie, sessionCookie, sessionIn } from './session-cookie.ts';
import { trustedProxies } from './trusted-proxies.ts';
import { countWrongGuesses, MOST_WRONG } from './wrong-guesses.ts';

export interface Authentication {
  /** Who sends a request, by its header or its session. Wrong keys are counted by address, and too many refused. */
  callerOf(request: IncomingMessage, ways?: Ways): Promise<Caller>;
  /** The same for a connection that was let in before: that is no guess, however often it is asked and however it ends. */
  recheck(request: IncomingMessage): Promise<Caller>;
  /** Begins a session: whose key or token it is, and the cookie (`Set-Cookie`) by which a browser sends it from now on. */
  signIn(request: IncomingMessage, token: string): Promise<{ caller: Caller; cookie: string }>;
  /** The cookie that ends it. */
  signOut(request: IncomingMessage): string;
  /** Calls whenever the keys have changed. */
  onChange(changed: () => void): void;
  stop(): void;
}

interface Ways {
  /** Whether a session counts; it does unless said. */
  session?: boolean;
}

type Reader = (token: string) => Promise<Omit<Caller, 'trigger'>>;

/** Identifies callers by API key, by JWT, or by either; undefined when neither is configured. Throws CONFIG_INVALID. */
export function createAuthentication(
  config: IdentityConfig,
  logger: Logger,
  { mostWrong = MOST_WRONG } = {},
): Authentication | undefined {
  const { apiKeys: path, jwt } = config;
  if (path === undefined && !jwt) return undefined;
  const proxies = trustedProxies(config.trustedProxies);
  const guesses = countWrongGuesses(proxies, mostWrong);
  const keys = path === undefined ? undefined : watchApiKeys(path, logger);
  const readJwt = jwt && createJwtReader(jwt);
  const identified = async (token: string): Promise<Caller> => ({
    ...(await identify(token, keys, readJwt)),
    trigger: 'rest',
  });
  const guessed = async (request: IncomingMessage, token: string): Promise<Caller> => {
    await guesses.mustBeFew(request);
    try {
      return await identified(token);
    } catch (error) {
      const isGuess = error instanceof Fault && error.code === 'UNAUTHENTICATED' && !keys?.knew(token);
      if (isGuess) await guesses.count(request);
      throw error;
    }
  };
  return {
    callerOf: async (request, ways) => await guessed(request, tokenIn(request, ways)),
    recheck: async (request) => await identified(tokenIn(request)),
    async signIn(request, token) {
      // Or a page of elsewhere could have somebody work under a name of its choice.
      mustBeOfSameOrigin(request);
      const caller = await guessed(request, token);
      const { expires_at } = caller;
      return { caller, cookie: sessionCookie(token, { isHttps: proxies.isHttps(request), expires_at }) };
    },
    signOut: (request) => endedSessionCookie(proxies.isHttps(request)),
    onChange: (changed) => keys?.onChange(changed),
    stop: () => keys?.stop(),
  };
}

function tokenIn(request: IncomingMessage, { session = true }: Ways = {}): string {
  const { authorization } = request.headers;
  const given = session && authorization === undefined ? sessionIn(request) : undefined;
  if (given !== undefined) {
    // Browsers send it whoever asks them to.
    if (changes(request)) mustBeOfSameOrigin(request);
    return given;
  }
  const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined) return token;
  const found =
    authorization === undefined ? 'there is no Authorization header' : 'the Authorization header is not one';
  throw new Fault('UNAUTHENTICATED', `${found}; send "Authorization: Bearer KEY"`);
}

/** Or opens a WebSocket, which browsers let any page read. */
const changes = ({ method = '', headers }: IncomingMessage): boolean =>
  !READS.includes(method) || headers.upgrade !== undefined;

/** Three parts with dots between them, as a JWT has. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

async function identify(token: string, keys: ApiKeys | undefined, readJwt: Reader | undefined) {
  const key = keys?.find(token);
  if (key) return callerOfKey(key);
  if (readJwt && (!keys || JWT.test(token))) return await readJwt(token);
  throw new Fault('UNAUTHENTICATED', 'the API key is not known');
}
