// Names what failed in a report of vitest, with the first lines of its message.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const MOST_LINES = 8;

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { name, status, message, assertionResults } of testResults) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const file = relative('.', name);
  if (status === 'failed' && failed.length === 0) console.log(`FAILED ${file}\n${firstLines(message)}`);
  for (const test of failed)
    console.log(`FAILED ${file}: ${test.fullName}\n${firstLines(test.failureMessages.join('\n'))}`);
}

function firstLines(text) {
  return text
    .split('\n')
    .slice(0, MOST_LINES)
    .map((line) => `  ${line}`)
    .join('\n');
}
