import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { Fault } from '../faults.ts';
import type { JwtConfig } from '../identity-config.ts';
import { type Caller, PERMISSIONS } from '../service/caller.ts';
import { displayName, orgId, principalId } from './principal.ts';

/** Clocks of machines differ. */
const TOLERANCE_S = 30;
/** Later times cannot be written as others are. */
const LAST_S = Date.UTC(9999, 11, 31) / 1_000;
const JWKS_TIMEOUT_MS = 5_000;
/** How soon the issuer is asked again for a key it did not have: new keys are found, and made-up ones do not flood it. */
const JWKS_COOLDOWN_MS = 10_000;

/** Reads tokens of one issuer. The caller's permissions are those of its own that Holdpoint knows; other words are passed over. */
export function createJwtReader(config: JwtConfig, { cooldownMs = JWKS_COOLDOWN_MS } = {}) {
  const options = { timeoutDuration: JWKS_TIMEOUT_MS, cooldownDuration: cooldownMs };
  const getKey = keysOf(createRemoteJWKSet(config.jwksUrl, options), config);
  const { issuer, audience, algorithms } = config;
  return async (token: string): Promise<Omit<Caller, 'trigger'>> => {
    const { payload } = await jwtVerify(token, getKey, {
      issuer,
      audience,
      algorithms,
      clockTolerance: TOLERANCE_S,
      requiredClaims: ['sub', 'exp'],
    }).catch((error: unknown) => {
      if (error instanceof Fault) throw error;
      const why = error instanceof errors.JOSEError ? error.message : 'it cannot be read';
      throw new Fault('UNAUTHENTICATED', `the token is not accepted: ${why}`, { cause: error });
    });
    return callerIn(payload, config);
  };
}

/** A key that the issuer does not have is the token's fault; an issuer that cannot be asked is not. */
function keysOf(jwks: JWTVerifyGetKey, { jwksUrl }: JwtConfig): JWTVerifyGetKey {
  const ofToken = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
  return async (header, token) => {
    try {
      return await jwks(header, token);
    } catch (error) {
      if (ofToken.some((known) => error instanceof known)) throw error;
      const why = `the keys of the issuer cannot be had from ${jwksUrl.host}: ${(error as Error).message}`;
      throw new Fault('IDENTITY_UNAVAILABLE', why, { cause: error });
    }
  };
}

function callerIn(payload: JWTPayload, { claims }: JwtConfig): Omit<Caller, 'trigger'> {
  const claim = <T>(name: string, schema: z.ZodType<T>): T => {
    const { data, error } = schema.safeParse(claimIn(payload, name));
    if (error) throw new Fault('UNAUTHENTICATED', `the token's claim "${name}" ${problemIn(payload, name, error)}`);
    return data as T;
  };
  const id = claim('sub', principalId);
  const { exp = 0 } = payload;
  if (exp > LAST_S) throw new Fault('UNAUTHENTICATED', `the token's claim "exp" is a time after the year 9999`);
  const permissions = claim(claims.permissions, permissionWords);
  const hasName = claimIn(payload, claims.name) !== undefined;
  return {
    principal: { id, name: hasName ? claim(claims.name, displayName) : id, org_id: claim(claims.org, orgId) },
    permissions: PERMISSIONS.filter((known) => permissions.includes(known)),
    expires_at: exp * 1_000,
  };
}

/** A list, or words with spaces between them as in `scope`; none at all is a caller who may do nothing. */
const permissionWords = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(' '))])
  .optional()
  .transform((words) => words ?? []);

/** A claim by its name, or else by the path that its name spells: `realm_access.roles`. */
function claimIn(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, step)
          ? (value as Record<string, unknown>)[step]
          : undefined,
      payload,
    );
}

function problemIn(payload: JWTPayload, name: string, error: z.ZodError): string {
  if (claimIn(payload, name) === undefined) return 'is missing';
  const [issue] = error.issues;
  return issue?.code === 'invalid_format' ? issue.message : 'is not what it has to be';
}
