import { expect, test } from 'vitest';
import { openPage, useConsole } from './support/console.ts';

const it = useConsole();

test('the address of the engine leads to the console, which shows who one is', async () => {
  const page = await openPage(it);
  await page.goto(it.url);
  await page.getByText('local').first().waitFor();
  expect(page.url()).toBe(`${it.url}/console/`);
});
