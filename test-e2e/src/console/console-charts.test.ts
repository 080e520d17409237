import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ConsoleVisit } from './console-browser.js';
import { useConsole } from './use-console.js';

const site = await useConsole();

/** Opens a page and returns the texts that its charts have drawn, once one of them is there. */
async function drawnOn(visit: ConsoleVisit, path: string, panel: string): Promise<string[]> {
  const { page } = visit;
  await page.addInitScript(`
    window.drawn = [];
    const fillText = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      window.drawn.push(text);
      return fillText.call(this, text, ...rest);
    };
  `);
  await visit.go(path);
  await chartOf(page, panel).waitFor();
  await page.waitForFunction('document.fonts.ready.then(() => true)');
  return page.evaluate<string[]>('window.drawn');
}

const chartOf = (page: Page, panel: string) =>
  page.getByRole('region', { name: panel }).getByRole('img');

const numbersIn = async (page: Page, bar: string) => {
  const drawn = page.getByRole('img', { name: `Transactions per ${bar}` });
  return (await drawn.getAttribute('aria-label'))!.replace(/^.*: /, '');
};

describe('the charts of the console', () => {
  it('count the same for an hour, a day and a month, which the address keeps', async () => {
    const visit = await site.enter('ops');
    const { page } = visit;
    const hour = await numbersIn(page, 'minute');
    expect(hour).toMatch(/^\d+ succeeded, 1 failed, [4-9] refused$/);
    for (const [name, bar] of [
      ['Day', 'hour'],
      ['Month', 'day'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      expect(await numbersIn(page, bar)).toBe(hour);
    }
    expect(new URL(page.url()).search).toBe('?period=month');
    await page.reload();
    expect(await numbersIn(page, 'day')).toBe(hour);
  });

  it('count in whole numbers', async () => {
    const visit = await site.enter('game');
    const drawn = await drawnOn(visit, '/', 'Transactions');
    const isTime = (text: string) => /\d\d:\d\d|ms$| s$/.test(text);
    expect(drawn.filter((text) => !isTime(text) && !/^\d+$/.test(text))).toEqual([]);
    expect(drawn).toContain('2');
  });

  it('of usage are in UTC, and say so where nothing was spent', async () => {
    const visit = await site.enter('ops');
    const now = new Date();
    const drawn = await drawnOn(visit, '/usage?period=day', 'Gas over time');
    // The last bar is the current hour.
    const times = drawn.filter((text) => /^\d\d:\d\d$/.test(text));
    expect(times.at(-1)).toBe(`${now.toISOString().slice(11, 13)}:00`);
    const { page } = await site.enter('racer', '/usage?period=day');
    await chartOf(page, 'Gas over time').getByText('Nothing in this time').waitFor();
  });
});
