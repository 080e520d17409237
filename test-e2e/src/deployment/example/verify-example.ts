import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ROOT, startSystem, type System } from '@forecourt/testing/system';
import { IotaClient } from '@iota/iota-sdk/client';
import { chromium } from 'playwright-core';
import { startExample } from './start-example.js';
import { VisitorPage } from './visitor-page.js';

/** As `USUAL_LIMITS` of the example's backend. */
const TRANSACTIONS_PER_ADDRESS = 3;

const [executablePath, ...flags] = process.argv.slice(2);

function report(text: string): void {
  process.stdout.write(`ok  ${text}\n`);
}

async function takeScreenshot(visit: VisitorPage, name: string): Promise<void> {
  if (!flags.includes('--screenshots')) return;
  await visit.screenshot(join(ROOT, 'docs', 'examples', name));
}

/** Presses the button once; the page must then show the transaction on the ledger. */
async function verifySponsored(visit: VisitorPage, system: System): Promise<void> {
  await visit.pressButton();
  const newest = await visit.newest('transactions', 1);
  const event = await visit.newest('events', 1);
  const [digest, car] = [newest['digest']!, event['car built']!];
  const visitor = await visit.address();
  report(`the page shows transaction ${digest}, paid by ${newest['gas paid by']}`);
  assert.equal(event['by transaction'], digest);
  report(`the page shows the live event of car ${car}`);

  const ledger = new IotaClient({ url: system.facts.ledgerUrl });
  const { transaction } = await ledger.waitForTransaction({ digest, options: { showInput: true } });
  assert.equal(transaction?.data.sender, visitor);
  assert.equal(transaction.data.gasData.owner, system.sponsor);
  assert.equal(newest['gas paid by'], system.sponsor);
  report('on the ledger, the visitor has sent the transaction and the sponsor has paid for it');
  const { data: coins } = await ledger.getAllCoins({ owner: visitor });
  assert.deepEqual(coins, []);
  const { data: object } = await ledger.getObject({ id: car, options: { showOwner: true } });
  assert.deepEqual(object?.owner, { AddressOwner: visitor });
  report('the visitor owns the car and no coins');
}

/** Continues from one transaction to the limit, and beyond it. */
async function verifyLimit(visit: VisitorPage): Promise<void> {
  for (let count = 2; count <= TRANSACTIONS_PER_ADDRESS; count++) {
    await visit.pressButton();
    await visit.newest('transactions', count);
    await visit.newest('events', count);
  }
  await visit.pressButton();
  const problem = await visit.problem();
  assert.match(problem, /^You have had your 3 sponsored transactions\. Try again in \d+ min\.$/);
  await visit.newest('transactions', TRANSACTIONS_PER_ADDRESS);
  report(`the page shows a refusal: ${problem}`);
}

/** Visitors of the page must not read the files that `npm start` keeps in the repository's folder. */
async function verifyFiles(pageUrl: string): Promise<void> {
  for (const query of ['', '?raw', '?import&raw']) {
    const { status } = await fetch(`${pageUrl}@fs${ROOT}/package.json${query}`);
    assert.equal(status, 403);
  }
  report('files outside of the example are not served');
}

const system = await startSystem({ events: 1 });
try {
  const example = await startExample(system.gatewayUrls[0]!, system.token);
  // Chromium has no sandbox as root, and the page is our own.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  report(`Chromium ${browser.version()}`);
  try {
    const visit = await VisitorPage.open(browser, example.url);
    await verifySponsored(visit, system);
    await takeScreenshot(visit, 'sponsored.png');
    await verifyLimit(visit);
    await takeScreenshot(visit, 'refused.png');
    await visit.requireSound(system.token);
    report('the token has not reached the browser');
    await verifyFiles(example.url);
  } finally {
    await browser.close();
    await example.stop();
  }
} finally {
  await system.stop();
}
