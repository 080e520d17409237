import assert from 'node:assert/strict';
import { IotaClient } from '@iota/iota-sdk/client';
import { freePort } from '@forecourt/testing/system';
import { type Browser, chromium } from 'playwright-core';
import { backend, examples } from '../../events/client-readme.js';
import { atAddresses, lineOf } from '../../support/documented-program.js';
import type { Started } from '../start/run-start.js';
import type { NewApplication } from './new-application.js';

/** Presses the button of a page that is as the README has it: the ledger must have what it then shows. */
async function press(browser: Browser, url: string, ledgerUrl: string): Promise<void> {
  const page = await browser.newPage();
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.goto(url);
  await page.getByRole('button').click();
  const paragraph = page.locator('p:not(:empty)');
  await paragraph.waitFor();
  assert.deepEqual(errors, []);
  const text = (await paragraph.textContent()) ?? '';
  const [, digest] = /^success (\w+)$/.exec(text) ?? [];
  assert.ok(digest, `the page shows: ${text}`);
  const client = new IotaClient({ url: ledgerUrl });
  const found = await client.waitForTransaction({ digest, options: { showInput: true } });
  const { sender, gasData } = found.transaction!.data;
  assert.notEqual(gasData.owner, sender);
  process.stdout.write(`Chromium: ${text}, paid by ${gasData.owner}\n`);
}

/** For the example with a wallet: a page that has one. */
const WALLET_PAGE = `import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { sponsor } from './wallet.ts';

const user = new Ed25519Keypair();
const paragraph = document.querySelector('p');
document.querySelector('button').onclick = async () => {
  const transaction = new Transaction();
  const clock = transaction.object('0x6');
  transaction.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [clock] });
  const sign = async ({ transaction }) => user.signTransaction(await transaction.build());
  const { digest, effects } = await sponsor(transaction, user.toIotaAddress(), sign);
  paragraph.textContent = effects.status.status + ' ' + digest;
};
`;

/** The page, the backend and the wallet of the README, as they stand, in Chromium. */
export async function walkInBrowser(
  application: NewApplication,
  node: string,
  { gatewayUrl, ledgerUrl, token }: Started,
  executablePath: string,
): Promise<void> {
  const here = (text: string) => atAddresses(text, gatewayUrl, ledgerUrl);
  const page = examples.find((text) => text.includes('document.querySelector'))!;
  const wallet = examples.find((text) => text.includes('type Sign'))!;
  const port = await freePort();
  application.write('page.ts', here(page));
  application.write('wallet.ts', here(wallet));
  application.write('wallet-page.js', WALLET_PAGE);
  application.write('backend.mjs', here(backend).replaceAll('8080', String(port)));
  // Root has no sandbox, and the pages are our own.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  try {
    for (const entry of ['page.ts', 'wallet-page.js']) {
      await application.tool('esbuild', entry, '--bundle', '--format=esm', '--outfile=page.js');
      const server = application.start(node, ['backend.mjs'], { TOKEN: token });
      try {
        const [, url] = await lineOf(server.stdout!, /^open (\S+)$/);
        await press(browser, url!, ledgerUrl);
      } finally {
        server.kill();
      }
    }
  } finally {
    await browser.close();
  }
}
