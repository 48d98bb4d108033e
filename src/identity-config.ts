import { resolve } from 'node:path';
import { Fault } from './faults.ts';

/** How callers of the API are identified, from the environment. */
export interface IdentityConfig {
  /** `HOLDPOINT_API_KEYS`: the file of API keys. Absolute path. */
  apiKeys: string | undefined;
  /** `HOLDPOINT_JWT_…`: who issues tokens, and how they are read. */
  jwt: JwtConfig | undefined;
  /** `HOLDPOINT_RATE_LIMIT`: requests that one caller may make in a minute; undefined = as many as they like. */
  rateLimit: number | undefined;
  /** `HOLDPOINT_TRUSTED_PROXIES`: addresses and CIDRs whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  trustedProxies: string[];
}

export interface JwtConfig {
  issuer: string;
  audience: string[];
  jwksUrl: URL;
  algorithms: string[];
  /** By what names the claims go. */
  claims: { org: string; permissions: string; name: string };
}

/** With a public key anybody may check, only its owner can sign. `none` and HMAC are not in here, and cannot be asked for. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const NEEDED_FOR_JWT = ['HOLDPOINT_JWT_ISSUER', 'HOLDPOINT_JWT_AUDIENCE', 'HOLDPOINT_JWT_JWKS_URL'] as const;
const DEFAULT_RATE = 12_000;

/** Reads and checks its part of the environment; throws the fault CONFIG_INVALID that names the variable. */
export function identityConfig(env: NodeJS.ProcessEnv): IdentityConfig {
  const apiKeys = env.HOLDPOINT_API_KEYS ? resolve(env.HOLDPOINT_API_KEYS) : undefined;
  const jwt = jwtConfig(env);
  return {
    apiKeys,
    jwt,
    rateLimit: rateOf(env.HOLDPOINT_RATE_LIMIT || undefined, hasAuthentication({ apiKeys, jwt })),
    trustedProxies: words(env.HOLDPOINT_TRUSTED_PROXIES),
  };
}

export const hasAuthentication = ({ apiKeys, jwt }: Pick<IdentityConfig, 'apiKeys' | 'jwt'>): boolean =>
  apiKeys !== undefined || jwt !== undefined;

function jwtConfig(env: NodeJS.ProcessEnv): JwtConfig | undefined {
  if (!Object.entries(env).some(([name, value]) => name.startsWith('HOLDPOINT_JWT_') && value)) return undefined;
  const missing = NEEDED_FOR_JWT.filter((name) => !env[name]);
  if (missing.length > 0)
    throw new Fault('CONFIG_INVALID', `for sign-in with JWT, ${missing.join(' and ')} must be set too`);
  return {
    issuer: env.HOLDPOINT_JWT_ISSUER!,
    audience: words(env.HOLDPOINT_JWT_AUDIENCE),
    jwksUrl: jwksUrlOf(env.HOLDPOINT_JWT_JWKS_URL!),
    algorithms: algorithmsOf(env.HOLDPOINT_JWT_ALGORITHMS || 'RS256,ES256'),
    claims: {
      org: env.HOLDPOINT_JWT_ORG_CLAIM || 'org_id',
      permissions: env.HOLDPOINT_JWT_PERMISSIONS_CLAIM || 'permissions',
      name: env.HOLDPOINT_JWT_NAME_CLAIM || 'name',
    },
  };
}

/** Whoever can change the keys on their way can be anybody: they come over TLS, or do not leave the machine. */
function jwksUrlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url && (url.protocol === 'https:' || isLocal)) return url;
  throw new Fault(
    'CONFIG_INVALID',
    `HOLDPOINT_JWT_JWKS_URL is "${text}"; give an https address (http only on this machine's loopback)`,
  );
}

function algorithmsOf(text: string): string[] {
  for (const name of words(text))
    if (!ALGORITHMS.includes(name))
      throw new Fault(
        'CONFIG_INVALID',
        `HOLDPOINT_JWT_ALGORITHMS names "${name}"; give some of ${ALGORITHMS.join(', ')}`,
      );
  return words(text);
}

/** The user of this machine is not limited unless it is asked for. */
function rateOf(text: string | undefined, hasAuthentication: boolean): number | undefined {
  if (text === undefined) return hasAuthentication ? DEFAULT_RATE : undefined;
  if (text.toLowerCase() === 'off') return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Fault(
    'CONFIG_INVALID',
    `HOLDPOINT_RATE_LIMIT is "${text}"; give how many requests one caller may make in a minute, or off`,
  );
}

const words = (text = ''): string[] => text.split(/[\s,]+/).filter(Boolean);
