import { expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

const it = useConsole();

test('the list has nothing that stands in the way of anybody, in both themes', async () => {
  const page = await openPage(it);
  await page.getByRole('heading', { name: 'Plans' }).waitFor();
  expect(await violations(page)).toEqual([]);
});
