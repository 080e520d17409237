import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

/** An entry of `GET /v1/sponsorships`. */
interface Listed {
  readonly reservation_id: number;
  readonly created_at: number;
}

/** How a list behaved while it was scrolled. */
export interface Scrolling {
  /** Rows in the page at once. */
  readonly mostRows: number;
  /** Positions at which the row that belongs there was not shown after a frame. */
  readonly missing: readonly number[];
  /** Tasks that blocked the page for longer than 50 ms, in ms. */
  readonly longTasks: readonly number[];
}

/**
 * Answers `GET /v1/sponsorships` in place of the gateway with `count` entries like `sample`, in pages of the
 * requested size. Returns a function that ends it.
 */
export async function serveRows(page: Page, sample: Listed, count: number): Promise<() => void> {
  const server = createServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://rows');
    const from = Number(searchParams.get('cursor') ?? 0);
    const to = Math.min(count, from + Number(searchParams.get('limit')));
    const data = Array.from({ length: to - from }, (_, index) => ({
      ...sample,
      reservation_id: count - from - index,
      created_at: sample.created_at - (from + index) * 1_000,
    }));
    const result = { data, next_cursor: to < count ? String(to) : null };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // Another server, because an answer of 200 kB through the debugger takes longer than the page needs for it.
  await page.route('**/v1/sponsorships?*', (route) =>
    route.continue({ url: `http://127.0.0.1:${port}/${new URL(route.request().url()).search}` }),
  );
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/** Scrolls to the end of the list again and again, until all rows are loaded. */
export async function loadAll(page: Page, count: number): Promise<void> {
  await page.evaluate(`{
    const table = document.querySelector('[role="table"]');
    const scroll = () => {
      table.scrollTop = table.scrollHeight;
      if (table.getAttribute('aria-rowcount') === '-1') requestAnimationFrame(scroll);
    };
    scroll();
  }`);
  await page.getByText(`${count} loaded`, { exact: true }).waitFor();
}

/** Scrolls by steps of a wheel, by pages, and to places far from each other. */
export function scrollThrough(page: Page): Promise<Scrolling> {
  return page.evaluate<Scrolling>(`(async () => {
    const table = document.querySelector('[role="table"]');
    const longTasks = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(Math.round(duration));
    });
    observer.observe({ type: 'longtask' });
    const frames = async (count) => {
      for (let n = 0; n < count; n++) await new Promise(requestAnimationFrame);
    };
    const rowHeight = table.querySelector('[role="row"]:not([aria-rowindex="1"])').offsetHeight;
    const end = table.scrollHeight - table.clientHeight;
    const steps = [
      ...Array.from({ length: 60 }, (_, n) => n * 120),
      ...Array.from({ length: 60 }, (_, n) => 10_000 + n * table.clientHeight),
      ...Array.from({ length: 60 }, (_, n) => (end * ((n * 37) % 60)) / 60),
      end,
    ];
    let mostRows = 0;
    const missing = [];
    for (const top of steps) {
      table.scrollTop = top;
      await frames(2);
      mostRows = Math.max(mostRows, table.querySelectorAll('[role="row"]').length);
      // That of the row in the middle of the view.
      const index = Math.floor((table.scrollTop + table.clientHeight / 2) / rowHeight) + 2;
      if (table.querySelector('[aria-rowindex="' + index + '"]') === null) missing.push(top);
    }
    await frames(2);
    observer.disconnect();
    return { mostRows, missing, longTasks };
  })()`);
}

/** Comes back to the window, as from another tab; the pages of the list that are then read again. */
export async function comeBack(page: Page): Promise<readonly string[]> {
  const read: string[] = [];
  page.on('request', (request) => {
    // The count of new ones, which goes on meanwhile, reads 100.
    const isPage = /\/v1\/sponsorships\?.*limit=(200|1000)\b/.test(request.url());
    if (isPage) read.push(request.url());
  });
  await page.evaluate(`(async () => {
    dispatchEvent(new Event('visibilitychange'));
    for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);
  })()`);
  return read;
}
