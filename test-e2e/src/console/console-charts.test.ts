import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ConsoleVisit } from './console-visit.js';
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
  page.getByRole('region', { name: panel, exact: true }).getByRole('img');

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
    await visit.page.clock.setFixedTime(site.busyAt);
    const now = new Date(site.busyAt);
    const drawn = await drawnOn(visit, '/usage?period=day', 'Gas over time');
    // The last bar is the current hour.
    const times = drawn.filter((text) => /^\d\d:\d\d$/.test(text));
    expect(times.at(-1)).toBe(`${now.toISOString().slice(11, 13)}:00`);
    const { page } = await site.enter('racer', '/usage?period=day');
    const gas = page.getByRole('region', { name: 'Gas over time' });
    await gas.getByText('Nothing in this time').waitFor();
    expect(await gas.getByRole('img').count()).toBe(0);
  });

  it('are read by hovering and by keyboard, and lead to the list of a bar', async () => {
    const visit = await site.enter('ops');
    const { page } = visit;
    await page.clock.setFixedTime(site.busyAt);
    await visit.go('/?period=day');
    const panel = page.getByRole('region', { name: 'Transactions', exact: true });
    const box = (await chartOf(page, 'Transactions').boundingBox())!;
    // The last bar is the current hour, with everything that has happened.
    await page.mouse.move(box.x + box.width - 30, box.y + box.height / 2);
    await panel.getByText(/ \d\d:00 to \d\d:00$/).waitFor();
    const reader = panel.getByRole('group', { name: /^Arrow keys read the values/ });
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await reader.focus();
    await page.keyboard.press('ArrowLeft');
    await panel.getByText(/: Succeeded 0, Failed 0, Refused 0$/).waitFor();
    await page.keyboard.press('End');
    await panel.getByText(/: Succeeded [1-9]\d*, Failed 1, Refused [1-9]\d*$/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await panel.getByText(/: Failed 1$/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('1 loaded').waitFor();
    const hour = new Date(site.busyAt).toISOString().slice(0, 13);
    expect(new URL(page.url()).searchParams.get('period')).toBe(hour);
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('failure');
    const time = page.getByLabel('Time', { exact: true });
    expect(await time.locator('option:checked').innerText()).toMatch(/ \d\d:00 to \d\d:00$/);
    await page.goBack();
    const again = (await chartOf(page, 'Transactions').boundingBox())!;
    // Refused requests are the lowest part.
    await page.mouse.click(again.x + again.width - 30, again.y + again.height - 32);
    await page.getByRole('heading', { name: 'Refusals', level: 1 }).waitFor();
    await page.getByRole('row').nth(1).waitFor();
    expect(new URL(page.url()).searchParams.get('period')).toBe(hour);
  });

  it('show the first and the last bar as wide as the others', async () => {
    const visit = await site.enter('ops');
    const { page } = visit;
    await page.route('**/v1/usage?**', async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.get('group_by') !== 'hour') return route.continue();
      const from = Number(url.searchParams.get('from'));
      const figures = { transactions: 8, failed: 0, refused: 0, gas: '1' };
      const rows = [0, 12, 23].map((hours) => ({
        hour: new Date(from + hours * 3_600_000).toISOString().slice(0, 13),
        ...figures,
      }));
      const report = { from, to: Date.now(), group_by: ['hour'], rows, total: figures };
      await route.fulfill({ json: { result: { ...report, corrections: [] } } });
    });
    await visit.go('/?period=day');
    await page.getByRole('img', { name: 'Transactions per hour: 24 succeeded' }).waitFor();
    const widths = await page.evaluate<number[]>(`(() => {
      const region = document.querySelector('[aria-label^="Transactions per hour"]');
      const canvas = region.querySelector('canvas');
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(0, Math.round(height / 2), width, 1);
      const widths = [];
      let run = 0;
      for (let x = 0; x <= width; x++) {
        const [red, green, blue] = data.slice(x * 4, x * 4 + 4);
        const isBar = green > red + 40 && green > blue + 20;
        if (isBar) run++;
        else if (run > 0) { widths.push(run); run = 0; }
      }
      return widths;
    })()`);
    expect(widths).toHaveLength(3);
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
    expect(widths[0]).toBeGreaterThan(10);
  });

  it('of latency have a logarithmic scale', async () => {
    const visit = await site.enter('ops');
    const { page } = visit;
    await page.route('**/v1/latency?**', async (route) => {
      const by = new URL(route.request().url()).searchParams.get('by');
      const time = Math.floor(Date.now() / 60_000) * 60_000;
      const rows = [
        { at: time - 60_000, transactions: 1, latency_ms: { p50: 3, p99: 30 }, queue_ms: null },
        {
          at: time,
          transactions: 1,
          latency_ms: { p50: 300, p99: 30_000 },
          queue_ms: { p50: 0, p99: 0 },
        },
      ];
      const report = { from: time - 3_540_000, to: time + 59_999, by, rows, total: rows[1] };
      await route.fulfill({ json: { result: report } });
    });
    await page.addInitScript(`
      window.labels = new Map();
      const fillText = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        if (/ m?s$/.test(text)) window.labels.set(text, y);
        return fillText.call(this, text, x, y);
      };
    `);
    await visit.go('/');
    await chartOf(page, 'Latency').waitFor();
    await site.system.until(async () => (await page.evaluate<number>('window.labels.size')) >= 6);
    const labels = await page.evaluate<[string, number][]>('[...window.labels]');
    expect(labels.map(([text]) => text)).toEqual([
      '1 ms',
      '10 ms',
      '100 ms',
      '1 s',
      '10 s',
      '1 min 40 s',
    ]);
    const steps = labels.slice(1).map(([, y], index) => labels[index]![1] - y);
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
  });
});
