import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { locateCluster } from '../../src/temporal/cluster.ts';
import { temporaryFolder } from './home.ts';

type Variables = Record<string, string>;

/** The variables of a user with this profile file, or without one. */
function user(toml: string | undefined, variables: Variables = {}): Variables & { HOME: string } {
  const HOME = temporaryFolder();
  if (toml === undefined) return { HOME, ...variables };
  const file = join(HOME, 'temporal.toml');
  writeFileSync(file, toml);
  return { HOME, TEMPORAL_CONFIG_FILE: file, ...variables };
}

const PROFILES = `
[profile.default]
address = "cluster:7233"
namespace = "plans"
[profile.cloud]
address = "cloud:7233"
namespace = "prod.acct"
api_key = "key"
[profile.empty]
`;

test.each<[string, string | undefined, Variables, string, string]>([
  ['TEMPORAL_ADDRESS', undefined, { TEMPORAL_ADDRESS: 'here:1' }, 'here:1', 'default'],
  ['… and TEMPORAL_NAMESPACE', undefined, { TEMPORAL_ADDRESS: 'here:1', TEMPORAL_NAMESPACE: 'n' }, 'here:1', 'n'],
  ['the default profile', PROFILES, {}, 'cluster:7233', 'plans'],
  ['the profile that is named', PROFILES, { TEMPORAL_PROFILE: 'cloud' }, 'cloud:7233', 'prod.acct'],
  ['a variable before the profile', PROFILES, { TEMPORAL_ADDRESS: 'here:1' }, 'here:1', 'plans'],
  ['the profile when the variable is empty', PROFILES, { TEMPORAL_ADDRESS: '' }, 'cluster:7233', 'plans'],
])('a cluster is configured by %s', (_, toml, variables, address, namespace) => {
  expect(locateCluster(user(toml, variables))).toMatchObject({ kind: 'external', address, namespace });
});

test('the profile file is looked for where the temporal CLI keeps it', () => {
  const { HOME } = user(undefined);
  const folder = join(HOME, 'configuration', 'temporalio');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'temporal.toml'), PROFILES);
  const env = { HOME, XDG_CONFIG_HOME: join(HOME, 'configuration') };
  expect(locateCluster(env)).toMatchObject({ address: 'cluster:7233' });
});

test('API key, TLS and headers are part of the connection', () => {
  const cluster = locateCluster(
    user(undefined, {
      TEMPORAL_ADDRESS: 'cloud:7233',
      TEMPORAL_API_KEY: 'key',
      TEMPORAL_TLS_SERVER_NAME: 'name',
      TEMPORAL_GRPC_META_TEAM: 'plans',
    }),
  );
  expect(cluster).toMatchObject({
    connectionOptions: { apiKey: 'key', tls: { serverNameOverride: 'name' }, metadata: { team: 'plans' } },
  });
});

test.each<[string, string | undefined, Variables]>([
  ['nothing is set', undefined, {}],
  ['the profile file is empty', '', {}],
  ['the profile file has only a comment', '# my profile\n', {}],
  ['the default profile has no address', '[profile.default]\nnamespace = "x"\n', {}],
  ['only another profile has an address', '[profile.other]\naddress = "x:1"\n', {}],
  ['the namespace that is set is the embedded one', undefined, { TEMPORAL_NAMESPACE: 'default' }],
])('the server is embedded when %s', (_, toml, variables) => {
  expect(locateCluster(user(toml, variables))).toEqual({ kind: 'embedded' });
});

test.each<[string, string | undefined, Variables]>([
  ['is not TOML', '[profile.default\naddress=', {}],
  ['does not exist although it is named', undefined, { TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml' }],
  ['does not have the profile that is named', PROFILES, { TEMPORAL_PROFILE: 'nope' }],
  ['names a certificate that is not there', '[profile.default]\naddress="x:1"\ntls.client_cert_path="/nowhere"', {}],
])('a profile file that %s is a fault that names the file', (_, toml, variables) => {
  const env = user(toml, variables);
  const message = expect.stringContaining(env.TEMPORAL_CONFIG_FILE ?? '?');
  expect(() => locateCluster(env)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message }));
});

test.each<[string, string | undefined, string]>([
  ['TEMPORAL_PROFILE', PROFILES, 'empty'],
  ['TEMPORAL_API_KEY', undefined, 'key'],
  ['TEMPORAL_TLS_CLIENT_KEY_DATA', undefined, 'key'],
  ['TEMPORAL_NAMESPACE', undefined, 'plans'],
])('%s without any address is a fault that names it, not an embedded server', (name, toml, value) => {
  const message = expect.stringContaining(`${name} is set`);
  const env = user(toml, { [name]: value });
  expect(() => locateCluster(env)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message }));
});
