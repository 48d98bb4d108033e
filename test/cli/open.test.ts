import { expect, test } from 'vitest';
import { hasBrowser } from '../../src/cli/commands/open.ts';
import { fakeCli, ID, view } from './fake-cli.ts';

const PAGE = `http://ui/namespaces/default/workflows/plan%2Flocal%2F${ID}`;
const opening = (env: NodeJS.ProcessEnv) => fakeCli({ env, service: { read: async () => view() } });

test('open shows the page of the plan in a browser', async () => {
  const { run, pages, out, err } = opening({ DISPLAY: ':0' });
  expect(await run('open', ID)).toBe(0);
  expect({ pages, out, err }).toEqual({ pages: [PAGE], out: [], err: [`opening ${PAGE}`] });
});

test.each([
  ['--print', ['--print'], { DISPLAY: ':0' }, PAGE],
  ['--json', ['--json'], { DISPLAY: ':0' }, JSON.stringify({ plan_id: ID, temporal_ui: PAGE }, null, 2)],
  ['no display', [], process.platform === 'linux' ? {} : { CI: '1' }, PAGE],
])('open only prints the address with %s', async (_, options, env, printed) => {
  const { run, pages, out } = opening(env);
  expect(await run('open', ID, ...options)).toBe(0);
  expect({ pages, out }).toEqual({ pages: [], out: [printed] });
});

test('a browser that does not start leaves the address', async () => {
  const { run, cli, out } = opening({ DISPLAY: ':0' });
  cli.openPage = async () => {
    throw new Error('spawn xdg-open ENOENT');
  };
  expect(await run('open', ID)).toBe(0);
  expect(out).toEqual([PAGE]);
});

test('where nobody knows the Web UI, that is said', async () => {
  const { run, cli, err } = opening({});
  const { connect } = cli.engine;
  cli.engine.connect = async (options) => ({
    ...(await connect(options)),
    urls: { api: '', temporal: '', temporalUi: '' },
  });
  expect(await run('open', ID)).toBe(2);
  expect(err[0]).toContain('it is not known where the Temporal Web UI of this cluster is');
});

test.each<[NodeJS.ProcessEnv, NodeJS.Platform, boolean]>([
  [{ DISPLAY: ':0' }, 'linux', true],
  [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
  [{ BROWSER: 'firefox' }, 'linux', true],
  [{ DISPLAY: ':0', BROWSER: 'none' }, 'linux', false],
  [{ DISPLAY: ':0', SSH_CONNECTION: '1 2 3 4' }, 'linux', false],
  [{ DISPLAY: ':0', CI: 'true' }, 'linux', false],
  [{}, 'linux', false],
  [{}, 'darwin', true],
])('%j on %s has a browser: %s', (env, platform, has) => expect(hasBrowser(env, platform)).toBe(has));
