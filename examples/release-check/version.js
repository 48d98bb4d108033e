// The version is the same wherever it is told, the changelog has a section for it, and no tag has it yet.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');
const { name, version } = JSON.parse(read('package.json'));
const locked = JSON.parse(read('package-lock.json')).version;
const [, logged] = /^## (\S+)/m.exec(read('CHANGELOG.md')) ?? [];
const problems = [
  !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && `"${version}" is no version`,
  locked !== version && `package-lock.json has ${locked}; run npm install`,
  logged !== version && `CHANGELOG.md begins with ${logged ?? 'no version'}; write a section "## ${version}"`,
  execFileSync('git', ['tag', '--list', `v${version}`], { encoding: 'utf8' }) && `the tag v${version} is there already`,
].filter(Boolean);
if (problems.length > 0) {
  console.error(`${name} ${version}: ${problems.join('; ')}`);
  process.exit(1);
}
console.log(`${name} ${version}`);
