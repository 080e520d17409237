import { readdirSync } from 'node:fs';
import type { ObjectReference } from '@forecourt/ledger';
import { only } from '@forecourt/testing/redis';
import { expect } from '@jest/globals';
import { beginExecutions } from '../executions/begin-executions.js';
import {
  deferExecution,
  noteUnknown,
  refuseExecution,
} from '../executions/unsettled-executions.js';
import {
  excludeExecution,
  listQuarantines,
  quarantineExecution,
} from '../executions/quarantines.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { useHistory } from '../history/use-history.test-support.js';
import {
  aCoin,
  aLead,
  caller,
  claim,
  randomAddress,
  reserve,
  retentionMs,
  rules,
  suspendAndRebuild,
  waiter,
} from '../pool.test-support.js';
import { drainSponsor, readDrain, undrainSponsor } from '../pool/drains.js';
import { adoptUsedCoin, type FoundTransaction } from '../pool/found-transactions.js';
import { adoptCoins } from '../pool/adopt-coins.js';
import { readPoolFigures } from '../pool/pool-figures.js';
import { readPoolTotals } from '../pool/pool-totals.js';
import { inspectPool, noteSpending } from '../pool/pool-inspection.js';
import { renewCoin, snapshotPool } from '../pool/pool-snapshot.js';
import { registerSponsor } from '../pool/sponsor-registry.js';
import { openPool, readNetwork, readStoredVersion } from '../pool/stored-version.js';
import { checkRedisRestart, endSuspension, readSuspension } from '../pool/suspension.js';
import {
  expireReservations,
  releaseClaim,
  releaseReservation,
} from '../reservations/release-reservations.js';
import { listInFlight } from '../reservations/list-in-flight.js';
import { reserveGas } from '../reservations/reserve-gas.js';
import { lockAnInput } from '../reservations/lock-an-input.test-support.js';
import {
  findDigest,
  findReservation,
  readUsagesFor,
  traceReservation,
} from '../reservations/reservation-lookups.js';
import type { CoinStoreRedis } from './run-script.js';
import { releaseLead, takeLead } from '../upkeep/leader-lock.js';
import {
  abortMaintenance,
  beginMaintenance,
  bindMaintenance,
  finishMaintenance,
  listMaintenance,
} from '../upkeep/maintenance-operations.js';
import {
  beginWithdrawal,
  endWithdrawal,
  finishWithdrawal,
  orderWithdrawal,
} from '../upkeep/withdrawals.js';

const LUA = new URL('../../lua/', import.meta.url);

/** The names of all scripts. */
export const everyScript = readdirSync(LUA)
  .filter((file) => file.endsWith('.lua'))
  .map((file) => file.replace('.lua', ''));

/** Runs every script at least once, on a new pool of this sponsor and on another one. */
export async function runEveryScript(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  await liveThroughEverything(redis, sponsor);
  await lockAnInput(redis, sponsor);
  await useHistory(redis, sponsor);
  await leave(redis);
}

/** Takes one pool through the scripts of its life. */
async function liveThroughEverything(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  const waiting = async () => (await reserve(redis, sponsor)).reservationId;
  const coins = Array.from({ length: 8 }, () => aCoin(1_000_000));
  const treasury = aCoin(90_000_000);
  await registerSponsor(redis, sponsor);
  expect(await openPool(redis, sponsor, 'chain')).toEqual({ opened: true });
  expect(await readStoredVersion(redis, sponsor)).toBe(1);
  expect(await readNetwork(redis, [sponsor])).toBe('chain');
  expect(await adoptCoins(redis, sponsor, [...coins, treasury], rules)).toBe(9);
  const released = await waiting();
  expect(
    await releaseReservation(redis, sponsor, { reservationId: released, caller, retentionMs }),
  ).toBe(true);
  const { usages } = await readUsagesFor(redis, sponsor, { counters: ['c'], usage: [] });
  expect(usages).toMatchObject([{ used: '0' }]);
  const [brief] = await reserveGas(redis, sponsor, [{ caller, gasBudget: 10, durationMs: 0 }]);
  expect(brief).not.toBeNull();
  expect(await expireReservations(redis, sponsor, { limit: 10, retentionMs })).toBe(1);

  const orphaned = await waiting();
  const fence = await claim(redis, sponsor, orphaned, 'D0', 0);
  const orphan = { reservationId: orphaned, fence, retentionMs };
  expect(await releaseClaim(redis, sponsor, orphan)).toBe('released');

  const begin = async (digest: string) => {
    const { reservationId, coins: held } = await reserve(redis, sponsor);
    const job = {
      reservationId,
      digest,
      fence: await claim(redis, sponsor, reservationId, digest),
    };
    expect(await only(beginExecutions(redis, sponsor, 'e', [job]))).not.toBeNull();
    return { ...job, held };
  };
  const refused = await begin('D1');
  const refusal = { ...refused, message: 'no', retentionMs };
  expect((await refuseExecution(redis, sponsor, refusal)).refused).toBe(true);
  const held = await begin('D2');
  const conflict = { ...held, message: 'locked', epoch: 1n };
  expect((await quarantineExecution(redis, sponsor, conflict)).quarantined).toBe(true);
  expect([...(await listQuarantines(redis, sponsor)).keys()]).toEqual([caller]);
  expect(await excludeExecution(redis, sponsor, held)).not.toBeNull();
  const { held: paying, ...done } = await begin('D3');
  expect(await deferExecution(redis, sponsor, 'e', done)).toEqual([waiter]);
  expect(await only(beginExecutions(redis, sponsor, 'e', [done]))).not.toBeNull();
  await noteUnknown(redis, sponsor, 'e', done, { epoch: 1n });
  const query = { state: 'executing', olderThanMs: 0, limit: 9 } as const;
  expect((await listInFlight(redis, sponsor, query)).listed).toEqual([{ sponsor, ...done }]);
  const returned = [{ ...paying[0]!, version: 2, balance: 900_000n }];
  const paid = { gasCharged: 100_000n, cost: 100_000n, returned, rules, retentionMs };
  const settlement = { ...done, outcome: 'executed', ...paid } as const;
  expect((await only(settleExecutions(redis, sponsor, [settlement]))).settled).toBe(true);
  const lookup = { reservationId: done.reservationId, caller, digest: 'D3', waiter };
  expect(await findReservation(redis, sponsor, lookup, rules)).toMatchObject({
    found: { state: 'executed' },
  });
  expect(await findDigest(redis, sponsor, 'D3')).toBe(done.reservationId);
  expect(await traceReservation(redis, sponsor, done.reservationId)).toMatchObject({
    digest: 'D3',
  });

  const split = { kind: 'split', from: 'treasury', maxCoins: 1, leaseMs: 10_000 } as const;
  const aborted = (await beginMaintenance(redis, sponsor, split))!;
  expect(await abortMaintenance(redis, sponsor, aborted)).toBe(true);
  const { operationId } = (await beginMaintenance(redis, sponsor, split))!;
  const binding = {
    operationId,
    digest: 'S',
    txBytes: 'AAAA',
    amount: 1_000_000n,
    leaseMs: 10_000,
  };
  expect(await bindMaintenance(redis, sponsor, binding)).toBeGreaterThan(0);
  expect(await listMaintenance(redis, sponsor)).toHaveLength(1);
  const made = {
    operationId,
    rules,
    gasCharged: 0n,
    created: [aCoin(1_000_000)],
    returned: [{ ...treasury, version: 2, balance: 89_000_000n }],
  };
  expect(await finishMaintenance(redis, sponsor, made)).toBe(true);

  const first = { runId: 'one', mayForget: true, holdMs: 1, witness: 'w', watermark: null };
  const looked = { ...first, others: [] };
  const { suspendedMs, watermark } = await checkRedisRestart(redis, sponsor, looked);
  expect(suspendedMs).toBe(0);
  const second = { ...looked, runId: 'two', watermark };
  expect((await checkRedisRestart(redis, sponsor, second)).suspendedMs).toBeGreaterThan(0);
  expect(await readSuspension(redis, sponsor)).not.toBeNull();
  await suspendAndRebuild(redis, sponsor);
  while (!(await endSuspension(redis, sponsor)))
    expect(await readSuspension(redis, sponsor)).not.toBeNull();
  const before = (await snapshotPool(redis, sponsor)).coins.find(
    ({ state }) => state === 'available',
  )!;
  const after = { ...before, version: 9 };
  const past = { found: [foundOne('D4', after)], unexplained: 5n, cause: 'outside_pool' } as const;
  const renewal = { before, after, rules, retentionMs, past };
  expect(await renewCoin(redis, sponsor, renewal)).toBe(true);
  const used = { ...past, found: [foundOne('D5', after)] };
  expect(await adoptUsedCoin(redis, sponsor, aCoin(1), used, rules)).toBe(true);

  expect(await takeLead(redis, sponsor, aLead('me'))).toMatchObject({ suspendedMs: null });
  expect(await noteSpending(redis, sponsor)).toBe(true);
  const { leader, transactions } = await inspectPool(redis, sponsor, 5);
  expect([leader, transactions.map(({ digest }) => digest)]).toEqual(['me', ['D2']]);
  expect(await releaseLead(redis, sponsor, 'me')).toBe(true);
  expect((await readPoolTotals(redis, sponsor)).coins.quarantined).toBe(1n);
  expect((await readPoolFigures(redis, sponsor)).reservations.quarantined).toBe(1);
  const { coins: all, faults } = await snapshotPool(redis, sponsor);
  expect([all.length, faults]).toEqual([11, []]);
}

function foundOne(digest: string, coin: ObjectReference): FoundTransaction {
  const result = { outcome: 'success', computation: '9', storage: '3', rebate: '2' } as const;
  const sponsorship = {
    id: 64,
    executedAt: 1,
    gasBudget: 10n,
    payment: [coin],
    result,
    sender: randomAddress(),
    commands: ['MakeMoveVec'],
    isBound: false,
  };
  return { digest, gasCharged: 10n, sponsorship };
}

/** A pool whose funds leave. */
async function leave(redis: CoinStoreRedis): Promise<void> {
  const left = randomAddress();
  const to = randomAddress();
  await adoptCoins(redis, left, [aCoin(1_000_000)], rules);
  await drainSponsor(redis, left, { reason: 'a', by: 'b', since: 1 });
  expect(await orderWithdrawal(redis, left, { id: 'one', to, by: 'b', reason: 'a' })).toBe(
    'ordered',
  );
  const begun = await beginWithdrawal(redis, left, { id: 'one', to, maxCoins: 9, leaseMs: 10_000 });
  const { operationId } = begun!;
  const done = { operationId, gasCharged: 1n, digest: 'W', sent: 0n, remaining: [], rules };
  expect(await finishWithdrawal(redis, left, done)).toBe(true);
  expect(await endWithdrawal(redis, left, { id: 'one', to })).toBe(true);
  expect((await readDrain(redis, left)).withdrawal).toMatchObject({ coins: 1 });
  await withdrawAnAmount(redis, left, to);
  expect(await undrainSponsor(redis, left)).toBe(true);
}

/** Orders, binds and sends an amount. */
async function withdrawAnAmount(redis: CoinStoreRedis, sponsor: string, to: string): Promise<void> {
  const coin = aCoin(1_000_000);
  await adoptCoins(redis, sponsor, [coin], rules);
  const part = { amount: 300_000n, request: '', isCovered: true };
  const order = { id: 'two', to, by: 'b', reason: 'a', part };
  expect(await orderWithdrawal(redis, sponsor, order)).toBe('ordered');
  const amount = 300_000n;
  const request = { id: 'two', to, amount, maxCoins: 9, leaseMs: 10_000, gasBudget: 10n };
  const { operationId } = (await beginWithdrawal(redis, sponsor, request))!;
  const binding = { operationId, digest: 'P', txBytes: 'AAAA', amount: 300_000n, leaseMs: 10_000 };
  expect(await bindMaintenance(redis, sponsor, binding)).not.toBeNull();
  const remaining = [{ ...coin, version: coin.version + 1, balance: 699_999n }];
  const sent = { operationId, gasCharged: 1n, digest: 'P', sent: 300_000n, remaining, rules };
  expect(await finishWithdrawal(redis, sponsor, sent)).toBe(true);
  expect(await endWithdrawal(redis, sponsor, { ...request, left: 0n })).toBe(true);
}
