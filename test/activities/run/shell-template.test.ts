import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cutValue } from '../../../src/activities/cut-values.ts';
import { renderScriptTemplate, ShellTemplateError } from '../../../src/activities/run/shell-template.ts';
import { tempDir } from '../../support/world.ts';

const V = '${{ inputs.v }}';
const scope = (v: string | number) => ({ inputs: { v }, tasks: {}, plan: { id: 'p', name: 'n', run: 1 } });

/** Runs a script with a value in it through a real bash. */
function run(script: string, v: string | number) {
  const dir = tempDir('shell');
  const path = join(dir, 's.sh');
  writeFileSync(path, renderScriptTemplate(script, scope(v)));
  const { stdout, stderr } = spawnSync('bash', ['-e', path], { cwd: dir, encoding: 'utf8', timeout: 5_000 });
  return { out: stdout, err: stderr, ranValue: existsSync(join(dir, 'PWNED')) };
}

const PAYLOADS = [
  '$(touch PWNED)',
  '`touch PWNED`',
  '"; touch PWNED; echo "',
  "'; touch PWNED; echo '",
  '\ntouch PWNED\n',
  '\nE\ntouch PWNED\n',
  '}; touch PWNED; echo ${x',
  '"; touch PWNED #',
  "\\'; touch PWNED; '",
  '); touch PWNED; (',
  ' touch PWNED ; $(touch PWNED) "\'`touch PWNED`',
  '-e * ~ $HOME ! \\ \t % é 🎉',
];

/** Places in which the value must arrive whole: printed alone, between brackets. */
const WHOLE: Record<string, string> = {
  'a bare word': `printf '[%s]' ${V}`,
  'part of a word': `printf '%s' [${V}]`,
  'double quotes': `printf '%s' "[${V}]"`,
  'single quotes': `printf '%s' '[${V}]'`,
  'an assignment': `x=${V}; printf '[%s]' "$x"`,
  'a quoted assignment': `x="${V}"; printf '[%s]' "$x"`,
  'a default in double quotes': `printf '%s' "[\${none:-${V}}]"`,
  'after a comment with a quote in it': `: # don't\nprintf '[%s]' ${V}`,
  'after an escaped quote': `printf '%s' \\" > /dev/null; printf '[%s]' ${V}`,
  'after a hash inside a word': `: a#"b"; printf '[%s]' ${V}`,
  'after a here-document with quotes in it': `cat > /dev/null <<E\nit's "\nE\nprintf '[%s]' ${V}`,
  'after a here-document taken as it is': `cat > /dev/null <<'E'\nit's $( "\nE\nprintf '[%s]' ${V}`,
  'after a here-string': `cat > /dev/null <<< "x"; printf '[%s]' ${V}`,
};

describe.each(Object.entries(WHOLE))('in %s', (_, script) => {
  test.each(PAYLOADS)('%j arrives whole and does not run', (payload) => {
    const { out, ranValue } = run(script, payload);
    expect(ranValue).toBe(false);
    expect(out).toBe(`[${payload}]`);
  });
});

/** Places in which people write odd things: whatever arrives, nothing may run. */
const ODD: Record<string, string> = {
  'ANSI quotes': `echo $'${V}'`,
  'a here-document': `cat <<E\n[${V}]\nE`,
  'a here-document with tabs': `cat <<-E\n\t[${V}]\n\tE`,
  'a here-document in a substitution': `echo "$(cat <<E\n${V}\nE\n)"`,
  'a comment': `# ${V}\necho on`,
  'behind a backslash': `echo \\${V}`,
  'behind a backslash in double quotes': `echo "\\${V}"`,
  backticks: `echo \`echo ${V}\``,
  'backticks in double quotes': `echo "\`echo ${V}\`"`,
  'quotes in a default': `echo "\${none:-"${V}"}" '\${none:-${V}}'`,
  'single quotes in double ones': `echo "'${V}'"`,
  'double quotes in single ones': `echo '"${V}"'`,
  'a case pattern': `case ${V} in ${V}) echo same;; esac`,
  'a case in a substitution': `echo $(case a in a) echo ${V};; esac) ${V}`,
  'a test': `[ ${V} = "${V}" ] && [[ ${V} == '${V}' ]] || echo no`,
  'an array': `a=(${V} "${V}"); echo "\${a[1]}"`,
  'a function': `f() { echo "$1 ${V}"; }; f ${V}`,
  'an unclosed quote': `echo "${V}`,
  'nothing else': V,
};

test.each(
  Object.entries(ODD).flatMap(([place, script]) => PAYLOADS.map((payload) => [place, payload, script] as const)),
)('in %s, %j does not run', (_, payload, script) => {
  expect(run(script, payload).ranValue).toBe(false);
});

test('a here-document gets the value as it is', () => {
  expect(run(`cat <<E\n[${V}]\nE`, 'a "b" $(c) \\').out).toBe('[a "b" $(c) \\]\n');
});

test('shell arithmetic takes whole numbers and nothing else: the shell would run what is in it', () => {
  expect(run(`echo $(( ${V} + 1 )) "$((${V} * 2))"`, 41).out).toBe('42 82\n');
  for (const script of [`echo $(( ${V} ))`, `echo "$(( (${V}) + 1 ))"`, `(( ${V} )) || true`])
    expect(() => run(script, 'a[$(touch PWNED)]')).toThrow(ShellTemplateError);
});

test('a here-document with a quoted delimiter cannot take a value, and says so', () => {
  for (const start of [`<<'E'`, '<<"E"', '<<\\E'])
    expect(() => renderScriptTemplate(`cat ${start}\n${V}\nE\n`, scope('x'))).toThrow(/quoted delimiter/);
});

test('values of megabytes and NULs do no harm', () => {
  expect(run(`printf %s ${V} | wc -c`, `${'x'.repeat(3_000_000)}\0y`).out.trim()).toBe('3000001');
});

test('an output that was cut is refused where it is used, with how much is missing', () => {
  const cut = cutValue(7);
  const tasks = { a: { status: 'succeeded', outputs: { stdout: cut, exit_code: 0 } } };
  const render = (name: string) =>
    renderScriptTemplate(`echo \${{ tasks.a.outputs.${name} }}`, { ...scope(''), tasks });
  expect(() => render('stdout')).toThrow(/7 bytes of it were dropped/);
  expect(render('exit_code')).toContain("='0'");
});
