import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@forecourt/testing/system';
import type { Browser } from 'playwright-core';
import { startTestSystem } from '../support/start-test-system.js';
import { busyOptions, findIds, makeActivity, Receiver } from './busy-system.js';
import { ConsoleVisit, launch, PHONE, type Screen, WIDE } from './console-browser.js';
import { listFirstView, sizeOf, timeFirstView } from './first-view.js';

const TRANSACTIONS = 40;
/** Of which the time of the first view is measured. */
const VISITS = 5;
const FOLDER = join(ROOT, 'docs', 'console');
const screens: Readonly<Record<string, Screen>> = {
  light: WIDE,
  dark: { ...WIDE, theme: 'dark' },
  phone: PHONE,
};

/** Takes a picture of each page as an operator sees it. */
async function takeAll(browser: Browser, url: string, paths: Readonly<Record<string, string>>) {
  for (const [name, screen] of Object.entries(screens)) {
    const visit = await ConsoleVisit.open(browser, url, screen);
    await visit.page.getByLabel('Token').waitFor();
    await visit.page.screenshot({ path: join(FOLDER, `sign-in-${name}.png`) });
    await visit.signIn('ops-token');
    for (const [page, path] of Object.entries(paths)) {
      await visit.go(path);
      await visit.settled();
      await visit.page.screenshot({ path: join(FOLDER, `${page}-${name}.png`) });
    }
    await visit.requireSound();
    await visit.close();
  }
}

/** Prints the size of the first view, and the time until it can be used: the median of several visits. */
async function measureFirstView(browser: Browser, url: string): Promise<void> {
  const visits: number[] = [];
  for (let count = 0; count < VISITS; count++) {
    const { signIn, overview } = await timeFirstView(browser, url, 'ops-token');
    visits.push(signIn + overview);
    process.stdout.write(`Sign-in after ${signIn} ms, the overview ${overview} ms after it\n`);
  }
  const median = visits.toSorted((a, b) => a - b)[Math.floor(VISITS / 2)]!;
  process.stdout.write(
    `First view: ${sizeOf(listFirstView())} bytes compressed, ${median} ms until the overview can be used\n`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'forecourt-console-'));
const files = {
  write(name: string, content: string) {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  },
};
const receiver = await Receiver.start();
const system = await startTestSystem(busyOptions(files, receiver, 'Coins are not minted here.'));
const browser = await launch(process.argv[2]!);
try {
  await makeActivity(system, { size: TRANSACTIONS, note: 'unusual spending' });
  const { failed } = await findIds(system);
  await measureFirstView(browser, system.application.url);
  mkdirSync(FOLDER, { recursive: true });
  await takeAll(browser, system.application.url, {
    overview: '/',
    sponsorships: '/sponsorships',
    sponsorship: `/sponsorships/${failed}`,
    refusals: '/refusals',
    usage: '/usage?period=day',
    webhooks: '/webhooks',
    events: '/events',
    pool: '/pool',
    access: '/access',
  });
} finally {
  await browser.close();
  await system.stop();
  receiver.stop();
  rmSync(folder, { recursive: true, force: true });
}
