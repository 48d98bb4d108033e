import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { createJwtReader } from '../../src/identity/jwt.ts';
import { identityConfig } from '../../src/identity-config.ts';

export const CLAIMS = { sub: 'ada', name: 'Ada L.', org_id: 'acme', permissions: ['plan:read', 'openid'] };

/** An issuer that publishes its keys over HTTP, and signs whatever a test wants it to. */
export async function issuer(more: NodeJS.ProcessEnv = {}) {
  const pairs: { kid: string; alg: string; pair: Awaited<ReturnType<typeof generateKeyPair>> }[] = [];
  let status = 200;
  let asked = 0;
  const server = createServer(async (_request, response) => {
    asked++;
    const keys = await Promise.all(
      pairs.map(async ({ kid, alg, pair }) => ({ ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' })),
    );
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const addKey = async (kid: string, alg = 'RS256') => {
    pairs.push({ kid, alg, pair: await generateKeyPair(alg, { extractable: true }) });
  };
  await addKey('first');
  const { jwt } = identityConfig({
    HOLDPOINT_JWT_ISSUER: 'https://issuer.example',
    HOLDPOINT_JWT_AUDIENCE: 'holdpoint',
    HOLDPOINT_JWT_JWKS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    ...more,
  });
  return {
    jwt: jwt!,
    read: createJwtReader(jwt!, { cooldownMs: 0 }),
    addKey,
    asked: () => asked,
    publicKey: () => pairs[0]!.pair.publicKey,
    answer(code: number) {
      status = code;
    },
    down: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async sign(claims: JWTPayload = {}, { kid = 'first', alg = 'RS256', exp = '5m' as string | number | null } = {}) {
      const token = new SignJWT({ ...CLAIMS, iss: 'https://issuer.example', aud: 'holdpoint', ...claims });
      if (exp !== null) token.setExpirationTime(exp);
      const key = pairs.find((pair) => pair.kid === kid)?.pair ?? (await generateKeyPair(alg));
      return await token.setProtectedHeader({ alg, kid }).sign(key.privateKey);
    },
  };
}
