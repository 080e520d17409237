import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';
import {
  buildSponsored,
  call,
  readClock,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { likeDocumented, readCode, readCurlExamples } from '../support/documented-examples.js';
import { lineOf } from '../support/documented-program.js';
import { system } from '../support/systems/observed-system.js';
import { parseCurl } from './parse-curl.js';
import { usePrograms } from '../support/use-programs.js';

const PAGES = ['README.md', 'docs/http-api.md', 'docs/history.md', 'docs/events.md'];
const pages = PAGES.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n');
const curlExamples = readCurlExamples(pages);
const programs = readCode(pages, 'js');

describe('the curl examples in the documentation', () => {
  it('are all extracted', () => {
    expect(curlExamples.length).toBeGreaterThanOrEqual(7);
  });

  it.each(curlExamples)('$command', async ({ command, answer }) => {
    const { url, ...request } = parseCurl(command, await variablesOf(command));
    const response = await fetch(
      url.replace('http://127.0.0.1:9527', system.application.url),
      request,
    );
    const body: unknown = await response.json();
    expect([response.status, body]).toEqual([200, likeDocumented(answer)]);
  });
});

describe('the programs in the documentation', () => {
  const start = usePrograms(system);
  const subscribing = programs[4]!;

  it('are all extracted', () => expect(programs).toHaveLength(5));

  it.each([
    ['with the client', 0],
    ['by hand', 2],
  ])('sponsor a transaction %s', async (_how, index) => {
    const [, digest] = await lineOf(start(programs[index]!).stdout!, /^success (\w+)$/);
    expect(await system.control.submissionsOf(digest!)).toBe(1);
  });

  it('are the files that the pages name', () => {
    const file = join(ROOT, 'docs', 'examples', 'first-transaction.mjs');
    expect(programs[0]).toBe(readFileSync(file, 'utf8'));
  });

  it('subscribe to events', async () => {
    const lines = createInterface({ input: start(subscribing).stdout! });
    const shown = lines[Symbol.asyncIterator]();
    expect((await shown.next()).value).toMatch(/^subscription \d+$/);
    let isShown = false;
    const event = shown.next().then((line) => {
      isShown = true;
      return line;
    });
    // Each transaction has a separate checkpoint; the subscription shows the events that follow it.
    await system.until(async () => {
      await sponsor(system.application);
      return isShown;
    });
    expect((await event).value).toMatch(/checkpoint: \d+/);
  });

  it('set every variable of the examples, whose transaction can be executed', async () => {
    const values = new Map<string, string>();
    for await (const line of createInterface({ input: start(programs[1]!).stdout! })) {
      const [, name, value] = /^export (\w+)=(\S+)$/.exec(line)!;
      values.set(name!, value!);
    }
    const used = curlExamples.flatMap(({ command }) => command.match(/\$[A-Z_]+/g) ?? []);
    const needed = new Set(used.map((name) => name.slice(1)));
    for (const name of ['TOKEN', 'DIGEST']) needed.delete(name);
    expect([...values.keys()].toSorted()).toEqual([...needed].toSorted());
    const { status, body } = await call(system.application, 'POST', '/v1/execute_tx', {
      reservation_id: Number(values.get('RESERVATION_ID')),
      tx_bytes: values.get('TX_BYTES'),
      user_sig: values.get('USER_SIG'),
    });
    expect([status, body.effects?.status.status]).toEqual([200, 'success']);
  });

  it('follow sponsorships', async () => {
    const lines = createInterface({ input: start(programs[3]!).stdout! });
    const shown = new Set<string>();
    lines.on('line', (line) => shown.add(line));
    const ids: number[] = [];
    await system.until(async () => {
      ids.push((await sponsor(system.application)).reservation.reservation_id);
      return ids.some((id) =>
        ['reserved', 'executing', 'executed'].every((status) =>
          shown.has(`sponsorship ${id} ${status}`),
        ),
      );
    });
  });

  it.each([
    ['a refused subscription', "'Checkpoint'", "'Nothing'", /^refused: -32602 .*"Nothing"/],
    ['a refused connection', "/rpc'", "/nothing'", /^no connection: .*404/],
  ])('show %s', async (_name, right, wrong, message) => {
    const program = subscribing.replace(right, wrong);
    expect(program).not.toBe(subscribing);
    const { stderr } = start(program, 'pipe');
    expect(await lineOf(stderr!, message)).toBeTruthy();
  });
});

async function variablesOf(command: string): Promise<Record<string, string>> {
  const { application } = system;
  const { token } = application;
  if (command.includes('$KIND_BYTES')) return { TOKEN: token, ...(await aTransactionKind()) };
  if (/\/v1\/(transactions|sponsorships|refusals|usage|latency)/.test(command)) {
    return { TOKEN: token, DIGEST: await untilRecorded() };
  }
  if (!command.includes('$RESERVATION_ID')) return { TOKEN: token };
  const reservation = await reserved(application);
  const transaction = await buildSponsored(application, reservation);
  return {
    TOKEN: token,
    RESERVATION_ID: String(reservation.reservation_id),
    TX_BYTES: transaction.tx_bytes,
    USER_SIG: transaction.user_sig,
  };
}

/** The digest of a transaction that the database has, as well as a refused request. */
async function untilRecorded(): Promise<string> {
  const { application } = system;
  const from = Date.now();
  await reserveGas(application, 0);
  const { transaction } = await sponsor(application);
  await system.until(async () => {
    const refusals = await call(application, 'GET', `/v1/refusals?from=${from}`);
    const usage = await call(application, 'GET', `/v1/usage?from=${from}`);
    const { data } = refusals.body.result as unknown as { data: readonly unknown[] };
    const { total } = usage.body.result as unknown as { total: { transactions: number } };
    return data.length > 0 && total.transactions > 0;
  });
  return transaction.digest;
}

/** A transaction kind that reads the clock, without gas data. */
async function aTransactionKind(): Promise<Record<string, string>> {
  const tx = new Transaction();
  readClock(tx);
  const bytes = await tx.build({ client: system.application.ledger, onlyTransactionKind: true });
  const sender = new Ed25519Keypair().toIotaAddress();
  return { SENDER: sender, KIND_BYTES: Buffer.from(bytes).toString('base64') };
}
