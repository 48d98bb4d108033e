import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The same choice as the theme button makes, kept over pages. */
const THEMES = ['light', 'dark'] as const;

/**
 * What axe finds wrong with a page as it stands, in both themes: each rule with the elements that break it; empty when all is well.
 * The page's policy lets no script in that the page does not have, so axe comes by the debugger.
 */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  const before = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.evaluate(axe.source);
  for (const theme of THEMES) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    // Colours are compared: none may be on its way from one to another.
    await page.evaluate(async () => {
      const passing = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
      await Promise.allSettled(passing.map(({ finished }) => finished));
    });
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    for (const { id, help, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        found.push(`${theme}: ${id} (${help}): ${target.join(' ')}: ${failureSummary}`);
  }
  await page.evaluate((name) => {
    if (name === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
  }, before);
  return found;
}
