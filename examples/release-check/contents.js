// What `npm pack --json` would put into the package: all that it needs to run, and nothing that is nobody's business.
import { readFileSync } from 'node:fs';

const NEEDED = ['package.json', 'README.md', 'LICENSE', 'bin/holdpoint.js', 'dist/bundle/main.cjs', 'dist/build.json'];
const UNWANTED = [/^test\//, /^out\//, /(^|\/)node_modules\//, /(^|\/)\.(env|npmrc|git)/, /\.(log|pem|key|db)$/];
const MOST_BYTES = 30_000_000;

const [{ files, size, unpackedSize }] = JSON.parse(readFileSync(0, 'utf8'));
const paths = files.map(({ path }) => path);
const missing = NEEDED.filter((path) => !paths.includes(path));
const unwanted = paths.filter((path) => UNWANTED.some((pattern) => pattern.test(path)));
const problems = [
  missing.length > 0 && `missing: ${missing.join(', ')} (npm run build makes dist)`,
  unwanted.length > 0 && `should not be in it: ${unwanted.join(', ')}`,
  unpackedSize > MOST_BYTES && `${unpackedSize} bytes are more than ${MOST_BYTES}`,
].filter(Boolean);
if (problems.length > 0) {
  console.error(problems.join('; '));
  process.exit(1);
}
const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(`${files.length} files, ${mb(size)} packed, ${mb(unpackedSize)} unpacked`);
