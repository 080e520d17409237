import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from './begin-executions.js';
import { excludeExecution, quarantineExecution } from './quarantines.js';
import { noteUnknown, refuseExecution } from './unsettled-executions.js';
import { settleExecutions } from './settle-executions.js';
import { digest, executionOf } from './execution.test-support.js';
import { caller, retentionMs, rules, useTestStore, waiter } from '../pool.test-support.js';
import { readPoolTotals } from '../pool/pool-totals.js';
import { findReservation } from '../reservations/reservation-lookups.js';

const store = useTestStore();

describe('an outcome that is not certain', () => {
  it.each([
    [true, 'locked'],
    [false, 'locked'],
    [true, ''],
    [false, ''],
  ])(
    'has a refusal that is final once the transaction is excluded (%p), and at the latest when its quarantine has ended, with the message %j',
    async (isExcluded, message) => {
      const { redis } = store;
      const { sponsor, job, coins } = await executionOf(store);
      const lookup = { reservationId: job.reservationId, caller, digest, waiter };
      const refusal = async () => (await findReservation(redis, sponsor, lookup, rules)).found;
      await quarantineExecution(redis, sponsor, { ...job, message, epoch: 7n });
      expect(await refusal()).toMatchObject({ state: 'quarantined', refusal: { fence: 0 } });
      if (isExcluded) {
        const late = { ...job, fence: job.fence + 1 };
        expect(await excludeExecution(redis, sponsor, late)).toBeNull();
        expect(await excludeExecution(redis, sponsor, job)).toEqual([waiter]);
        expect(await excludeExecution(redis, sponsor, job)).toBeNull();
        expect(await refusal()).toMatchObject({ state: 'quarantined', refusal: { fence: 1 } });
        const { coins: counted } = await readPoolTotals(redis, sponsor);
        expect(counted).toMatchObject({ quarantined: 1n });
      }
      const end = { ...job, returned: coins, rules, retentionMs, gasCharged: 0n, cost: 0n };
      await only(settleExecutions(redis, sponsor, [{ ...end, outcome: 'refused' }]));
      expect(await refusal()).toMatchObject({
        state: 'expired',
        refusal: { fence: 1, message },
      });
    },
  );

  it('has an epoch that the last executor records, and that the next executor clears', async () => {
    const { redis } = store;
    const { sponsor, job } = await executionOf(store);
    const unknownIn = async (executor: string) =>
      (await only(beginExecutions(redis, sponsor, executor, [job])))?.unknownIn;
    await noteUnknown(redis, sponsor, 'ex-1', job, { epoch: 7n });
    expect(await unknownIn('ex-2')).toBe(7n);
    expect(await unknownIn('ex-1')).toBeNull();
    await noteUnknown(redis, sponsor, 'ex-2', job, { epoch: 8n });
    await noteUnknown(redis, sponsor, 'ex-1', { ...job, fence: 9 }, { epoch: 8n });
    expect(await unknownIn('ex-1')).toBeNull();
    const refusal = { ...job, message: 'no', retentionMs };
    expect((await refuseExecution(redis, sponsor, refusal)).refused).toBe(false);
  });
});
