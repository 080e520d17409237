import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '@forecourt/testing/figures';
import { createSponsorKey, ROOT } from '@forecourt/testing/system';
import { Redis } from 'ioredis';
import type { Browser } from 'playwright-core';
import { call } from '../support/application.js';
import { startTestSystem } from '../support/start-test-system.js';
import type { TestSystem } from '../support/test-system.js';
import { as, busyOptions, findIds, makeActivity } from './busy-system.js';
import { Receiver } from './receiver.js';
import { launch, PHONE, type Screen, WIDE } from './console-browser.js';
import { ConsoleVisit } from './console-visit.js';
import { listFirstView, sizeOf, timeFirstView } from './first-view.js';
import { writePast } from './past-records.js';

const TRANSACTIONS = 40;
/** Of the second sponsor, in the smallest unit. */
const SECOND_FUNDS = 800_000_000_000n;
/** A sponsor without key and coins. */
const RETIRED = `0x${'4e'.repeat(32)}`;
/** Of which the time of the first view is measured. */
const VISITS = 5;
const FOLDER = join(ROOT, '.data', 'console');
/** The pictures that the documentation shows. */
const DOCUMENTED = join(ROOT, 'docs', 'console');
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
  process.stdout.write(
    `First view: ${sizeOf(listFirstView())} bytes compressed, ${median(visits)} ms until the overview can be used\n`,
  );
}

/** Funds the second sponsor, retires a third one, and waits until both are shown. */
async function addSponsors(system: TestSystem, second: string): Promise<void> {
  await system.control.mint(second, SECOND_FUNDS);
  const redis = new Redis(system.redisUrl);
  await redis.hset('fc:sponsors', RETIRED, 63);
  await redis.quit();
  await system.until(async () => {
    const { body } = await call(as(system, 'ops'), 'GET', '/v1/fleet');
    const { sponsors } = body.result as unknown as {
      readonly sponsors: readonly {
        readonly sponsor_address: string;
        readonly coins: Readonly<Record<string, { readonly coins: number }>>;
      }[];
    };
    const found = sponsors.find((one) => one.sponsor_address === second);
    return sponsors.length === 3 && (found?.coins['available']?.coins ?? 0) > 20;
  });
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
const keys = [createSponsorKey(), createSponsorKey()] as const;
const system = await startTestSystem({
  ...busyOptions(files, receiver, 'Coins are not minted here.'),
  sponsor: keys[0],
  sponsorSecrets: keys.map(({ secret }) => secret),
});
const browser = await launch(process.argv[2]!);
try {
  await makeActivity(system, { size: TRANSACTIONS, note: 'unusual spending' });
  const { failed } = await findIds(system);
  await addSponsors(system, keys[1].address);
  // The present is real; of the two days before, only the records exist.
  const { DATABASE_URL: database } = system.services('history')[0]!.options.env;
  await writePast(
    database!,
    Date.now(),
    keys.map(({ address }) => address),
  );
  await measureFirstView(browser, system.application.url);
  mkdirSync(FOLDER, { recursive: true });
  await takeAll(browser, system.application.url, {
    overview: '/?period=day',
    sponsorships: '/sponsorships',
    sponsorship: `/sponsorships/${failed}`,
    refusals: '/refusals',
    usage: '/usage?period=day',
    webhooks: '/webhooks',
    events: '/events',
    pool: '/pool',
    access: '/access',
  });
  for (const name of readdirSync(DOCUMENTED))
    copyFileSync(join(FOLDER, name), join(DOCUMENTED, name));
  process.stdout.write(`The pictures are in ${FOLDER}\n`);
} finally {
  await browser.close();
  await system.stop();
  receiver.stop();
  rmSync(folder, { recursive: true, force: true });
}
