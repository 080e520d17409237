import { cpSync, rmSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LedgerScan } from '../chaos/ledger-scan.js';
import { buildSponsored, call, executeTx, reserved, sponsor } from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { type Listed, read, readAll } from './history-callers.js';

// The time limit of a call to the node also determines how long a pool is suspended.
const system = useSystem((files) => ({
  coinPools: 2,
  history: 2,
  redis: { dir: files.pathOf('redis'), appendfsync: 'always' },
  env: { LEDGER_TIMEOUT_MS: '2000', POOL_TARGET_COINS: '30', POOL_MIN_COINS: '20' },
}));

interface Usage {
  readonly total: { readonly transactions: number; readonly gas: string };
  readonly corrections: readonly { readonly cause: string; readonly transactions: number }[];
}
const usage = () => read<Usage>(system.application, '/v1/usage?group_by=token&from=0');

interface Recorded extends Listed {
  readonly rebuilt: string | null;
}
const records = () =>
  readAll(system.application, '/v1/sponsorships?status=executed') as Promise<Recorded[]>;

/** Sponsors as many transactions at once; the digests. */
async function sponsorSome(count: number): Promise<string[]> {
  const done = Array.from({ length: count }, async () => {
    const { answer, transaction } = await sponsor(system.application);
    expect(answer.status).toBe(200);
    return transaction.digest;
  });
  return Promise.all(done);
}

const untilSettled = () => system.until(async () => (await system.totals()).coins.executing === 0n);
const untilRecorded = (digests: readonly string[]) =>
  system.until(async () => {
    const found = new Set((await records()).map(({ digest }) => digest));
    return digests.every((digest) => found.has(digest));
  });

/** Kills Redis, and starts it with the data of a copy. */
async function bringBack(copy: string): Promise<void> {
  await system.stopRedis();
  rmSync(system.files.pathOf('redis'), { recursive: true });
  cpSync(copy, system.files.pathOf('redis'), { recursive: true });
  await system.startRedis();
}

/** The sponsor's transactions on the ledger. */
async function scanLedger(): Promise<LedgerScan> {
  await system.control.untilShown();
  const scan = new LedgerScan(system.ledger, system.sponsor);
  await scan.readOn();
  return scan;
}

describe('a Redis that has lost its last writes', () => {
  it('costs neither gas totals nor records: they are those of the ledger, each transaction once', async () => {
    const known = await sponsorSome(6);
    const open = await reserved(system.application, 10_000_000, 300);
    await untilSettled();
    const copy = system.files.pathOf('copy');
    cpSync(system.files.pathOf('redis'), copy, { recursive: true });

    // History has these in its database, and knows them better than the ledger does.
    const recorded = await sponsorSome(5);
    await system.until(async () => (await usage()).total.transactions === 11);
    for (const history of system.services('history')) await history.stop();
    // These are lost with Redis, some of them of coins that were used several times.
    const lost = [...(await sponsorSome(20)), ...(await sponsorSome(20))];
    const late = await buildSponsored(system.application, open);
    expect((await executeTx(system.application, open, late)).status).toBe(200);
    await untilSettled();
    await bringBack(copy);
    await system.until(async () => (await sponsorSome(1).catch(() => [])).length === 1);
    await Promise.all(system.services('history').map((history) => history.start()));

    await untilRecorded([...known, ...recorded, ...lost, late.digest]);
    const scan = await scanLedger();
    const sponsored = scan.gasCharged - scan.own.reduce((sum, { gas }) => sum + gas, 0n);
    await system.until(async () => (await usage()).total.gas === String(sponsored));
    const found = await records();
    expect(new Set(found.map(({ digest }) => digest)).size).toBe(found.length);
    expect((await usage()).total.transactions).toBe(found.length);
    expect((await system.totals()).gasCharged).toBe(scan.gasCharged);

    const of = (digest: string) => found.find((one) => one.digest === digest)!;
    for (const digest of [...known, ...recorded]) {
      expect(of(digest)).toMatchObject({ token: 'default', rebuilt: null });
    }
    for (const digest of lost) {
      expect(of(digest)).toMatchObject({ token: '', rebuilt: 'redis_lost_writes' });
    }
    expect(of(late.digest)).toMatchObject({
      reservation_id: open.reservation_id,
      token: 'default',
      rebuilt: 'redis_lost_writes',
    });
    expect((await usage()).corrections).toMatchObject([
      { cause: 'redis_lost_writes', transactions: lost.length + 1, unexplained: '0' },
    ]);
    const { body } = await call(system.application, 'GET', `/v1/transactions/${lost[0]}`);
    expect(body.result).toMatchObject({ digest: lost[0], status: 'executed' });
    const audit = await system.audit();
    expect(audit.exitCode).toBe(0);
    expect(audit.stdout).toMatch(
      /Found on the ledger, where the pool had no record: 4\d sponsored/,
    );
  });
});
