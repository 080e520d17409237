import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { excludeExecution, quarantineExecution } from '../executions/quarantines.js';
import { noteUnknown, refuseExecution } from '../executions/unsettled-executions.js';
import { settleExecutions } from '../executions/settle-executions.js';
import { entriesOf, eventsOf } from './entries.test-support.js';
import { setHistoryBacklog } from './history-stream.js';
import {
  aReservation,
  anExecution,
  begin,
  claimedBy,
  ofEnd,
  onlyEntry,
  passDeadline,
  result,
  settlementOf,
} from './recorded-reservations.test-support.js';
import {
  caller,
  claim,
  retentionMs,
  rules,
  suspendAndRebuild,
  useTestStore,
} from '../pool.test-support.js';
import { renewCoin, snapshotPool } from '../pool/pool-snapshot.js';
import {
  expireReservations,
  releaseClaim,
  releaseReservation,
} from '../reservations/release-reservations.js';
import { reserveGas } from '../reservations/reserve-gas.js';

const store = useTestStore();
describe('the entry of an ended reservation', () => {
  it('has everything about a transaction that was executed at once', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, facts } = execution;
    await only(settleExecutions(redis, sponsor, [settlementOf(execution)]));
    await only(settleExecutions(redis, sponsor, [settlementOf(execution)]));
    const { trail, ...entry } = await onlyEntry(execution);
    expect(entry).toEqual({
      ...facts,
      ...ofEnd,
      state: 'executed',
      digest: 'D1',
      transaction: 'tx of D1',
      rule: 'ours',
      executor: 'ex-1',
      result: JSON.stringify(result),
      counted: '12',
    });
    expect(eventsOf(trail)).toEqual([claimedBy('D1'), 'begun', 'submitted', 'submitted']);
    const [first, second] = trail
      .split('\n')
      .slice(2)
      .map((line) => Number(line.split('\t')[0]));
    expect(second! - first!).toBe(30);
  });

  it.each(['expired', 'released'] as const)(
    'has the facts of one that was %s unused',
    async (state) => {
      const reserved = await aReservation(store, state === 'expired' ? 0 : 60_000);
      const { redis, sponsor, reservationId, facts } = reserved;
      const end = () =>
        state === 'expired'
          ? expireReservations(redis, sponsor, { limit: 10, retentionMs })
          : releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
      await end();
      await end();
      expect(await onlyEntry(reserved)).toEqual({
        ...facts,
        ...ofEnd,
        state,
        digest: '',
        transaction: '',
        rule: '',
        executor: '',
        result: '',
        counted: '',
        trail: '',
      });
    },
  );

  it('tells of a refused transaction before, and of its reason', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, reservationId, job } = execution;
    const refusal = { ...job, message: 'no:\t1\\', retentionMs, submissions: [5] };
    await refuseExecution(redis, sponsor, refusal);
    expect(await entriesOf(redis, sponsor)).toEqual([]);
    await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
    const entry = await onlyEntry(execution);
    expect(entry).toMatchObject({ state: 'released', digest: 'D1', transaction: 'tx of D1' });
    expect(eventsOf(entry.trail)).toEqual([
      claimedBy('D1'),
      'begun',
      'submitted',
      'refused D1 no:\\t1\\\\',
    ]);
  });

  it('tells of every claim, and has the transaction of the last', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, job } = execution;
    await refuseExecution(redis, sponsor, { ...job, message: 'no', retentionMs });
    const second = await begin(execution, 'D2');
    await only(settleExecutions(redis, sponsor, [settlementOf({ ...execution, job: second })]));
    const entry = await onlyEntry(execution);
    expect(entry).toMatchObject({ state: 'executed', digest: 'D2', transaction: 'tx of D2' });
    expect(eventsOf(entry.trail)).toEqual([
      claimedBy('D1'),
      'begun',
      'refused D1 no',
      claimedBy('D2'),
      'begun',
      'submitted',
      'submitted',
    ]);
  });

  it('is added when a refused transaction’s reservation is past its deadline', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, job } = execution;
    await passDeadline(execution);
    await refuseExecution(redis, sponsor, { ...job, message: 'no', retentionMs });
    const entry = await onlyEntry(execution);
    expect(entry).toMatchObject({ state: 'expired', digest: 'D1', rule: 'ours', executor: 'ex-1' });
    expect(eventsOf(entry.trail).at(-1)).toBe('refused D1 no');
  });

  it.each([true, false])(
    'names the transaction of an orphaned claim; overdue: %s',
    async (isOverdue) => {
      const reserved = await aReservation(store);
      const { redis, sponsor, reservationId } = reserved;
      const fence = await claim(redis, sponsor, reservationId, 'D0', 0);
      if (isOverdue) await passDeadline(reserved);
      await releaseClaim(redis, sponsor, { reservationId, fence, retentionMs });
      if (!isOverdue)
        await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
      const entry = await onlyEntry(reserved);
      const state = isOverdue ? 'expired' : 'released';
      expect(entry).toMatchObject({ state, digest: 'D0', transaction: 'AAAA' });
      expect(eventsOf(entry.trail)).toEqual(['claimed D0   ']);
    },
  );

  it('tells of a quarantine, and of the refusal once it is final', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, job } = execution;
    const note = { epoch: 1n, submissions: [5] };
    await noteUnknown(redis, sponsor, 'ex-1', job, { epoch: null, submissions: [7] });
    const conflict = { ...job, ...note, message: 'locked' };
    await quarantineExecution(redis, sponsor, conflict);
    await quarantineExecution(redis, sponsor, { ...conflict, movedOnBy: 'own' });
    await excludeExecution(redis, sponsor, job);
    await excludeExecution(redis, sponsor, job);
    const moved = { ...settlementOf(execution), outcome: 'refused', submissions: [] } as const;
    await only(settleExecutions(redis, sponsor, [moved]));
    const entry = await onlyEntry(execution);
    expect(entry).toMatchObject({ state: 'expired', digest: 'D1', transaction: 'tx of D1' });
    expect(entry.result).toBe(JSON.stringify(result));
    expect(eventsOf(entry.trail)).toEqual([
      'submitted',
      'submitted',
      'quarantined locked',
      'refused D1 locked',
      claimedBy('D1'),
      'begun',
    ]);
  });

  it('tells of the refusal of a quarantined transaction that was not excluded before', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, job, coins } = execution;
    await quarantineExecution(redis, sponsor, { ...job, message: '', epoch: 1n });
    const unmoved = { outcome: 'unmoved', returned: coins, gasCharged: 0n, cost: 0n } as const;
    await only(
      settleExecutions(redis, sponsor, [{ ...settlementOf(execution), ...unmoved, result: null }]),
    );
    const entry = await onlyEntry(execution);
    expect(entry).toMatchObject({ state: 'expired', result: '', counted: '' });
    expect(eventsOf(entry.trail)).toContain('refused D1 ');
  });

  it('is added for one that its index has lost: released, or settled after a rebuilding', async () => {
    const released = await aReservation(store);
    const { redis } = store;
    await redis.del(`fc:{${released.sponsor}}:reserved`);
    const release = { reservationId: released.reservationId, caller, retentionMs };
    await releaseReservation(redis, released.sponsor, release);
    expect(await onlyEntry(released)).toMatchObject({ state: 'released' });

    const execution = await anExecution(store);
    await redis.del(`fc:{${execution.sponsor}}:executing`);
    await suspendAndRebuild(redis, execution.sponsor);
    await only(settleExecutions(redis, execution.sponsor, [settlementOf(execution)]));
    expect(await onlyEntry(execution)).toMatchObject({ state: 'executed', digest: 'D1' });
  });

  it('is added when the ledger shows that a reserved coin has changed', async () => {
    const reserved = await aReservation(store);
    const { redis, sponsor } = reserved;
    const [before] = (await snapshotPool(redis, sponsor)).coins;
    const after = { ...before!, version: 9 };
    await renewCoin(redis, sponsor, { before: before!, after, rules, retentionMs });
    expect(await onlyEntry(reserved)).toMatchObject({ state: 'expired' });
  });

  it('keeps the last claim, and stays short, however often a transaction is refused', async () => {
    const reserved = await aReservation(store);
    const { redis, sponsor, reservationId } = reserved;
    const message = `${'é'.repeat(600)}\\`;
    for (let n = 0; n < 40; n++) {
      const job = await begin(reserved, `D${n}`);
      await refuseExecution(redis, sponsor, { ...job, message, retentionMs });
    }
    await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
    const { trail, digest, transaction } = await onlyEntry(reserved);
    expect([digest, transaction]).toEqual(['D39', 'tx of D39']);
    expect(trail.length).toBeLessThan(25_000);
    const events = eventsOf(trail);
    expect(events.filter((event) => event.startsWith('claimed'))).toHaveLength(40);
    expect(events.filter((event) => event.startsWith('refused')).length).toBeGreaterThan(10);
    expect(trail).not.toMatch(/\ufffd|\\\n/);
  });

  it('is not added for a health check', async () => {
    const { redis } = store;
    const { sponsor } = await store.aPool(700_000);
    await setHistoryBacklog(redis, sponsor, 100);
    const check = { caller: 'health-check', gasBudget: 1, durationMs: 60_000 };
    const [reserved] = await reserveGas(redis, sponsor, [check]);
    const release = { ...check, reservationId: reserved!.reservationId, retentionMs };
    expect(await releaseReservation(redis, sponsor, release)).toBe(true);
    expect(await entriesOf(redis, sponsor)).toEqual([]);
  });
});
