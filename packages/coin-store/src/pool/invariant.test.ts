import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aCoin,
  caller,
  retentionMs,
  rules,
  startTestStore,
  type TestStore,
  waiter,
} from '../pool.test-support.js';
import { beginExecution, type BegunExecution } from '../executions/begin-execution.js';
import { quarantineExecution } from '../executions/quarantine-execution.js';
import { refuseExecution } from '../executions/refuse-execution.js';
import { settleExecution } from '../executions/settle-execution.js';
import { abortMaintenance } from '../maintenance/abort-maintenance.js';
import { beginMaintenance } from '../maintenance/begin-maintenance.js';
import { finishMaintenance } from '../maintenance/finish-maintenance.js';
import { claimReservation } from '../reservations/claim-reservation.js';
import { releaseReservation } from '../reservations/release-reservation.js';
import { reserveGas } from '../reservations/reserve-gas.js';
import { expireReservations } from '../sweeping/expire-reservations.js';
import { reclaimClaim } from '../sweeping/reclaim-claim.js';
import { snapshotPool } from './snapshot-pool.js';

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.stop());

const operations = [
  ...['reserve', 'reserveBriefly', 'claim', 'claimWithoutJob', 'begin', 'settle', 'refuse'],
  ...['quarantine', 'release', 'expire', 'reclaim', 'split', 'fold', 'finish', 'abort'],
] as const;
type Operation = (typeof operations)[number];

/** Does operations in any order, also senseless ones, and remembers what was signed for. */
class Driver {
  readonly reservations: number[] = [];
  readonly operationIds: string[] = [];
  /** Coin version → the digest signed for it and not refused. */
  readonly signed = new Map<string, string>();
  private gas = 0n;

  constructor(
    private readonly sponsor: string,
    private readonly expected: bigint,
  ) {}

  async run(operation: Operation, pick: number): Promise<void> {
    const { redis } = store;
    const { sponsor } = this;
    const reservationId = this.reservations[pick % (this.reservations.length || 1)] ?? 1;
    const digest = `D${pick % 3}`;
    const job = { reservationId, digest, fence: 1 + (pick % 2) };
    const operationId = this.operationIds[pick % (this.operationIds.length || 1)] ?? 'none';
    switch (operation) {
      case 'reserve':
      case 'reserveBriefly': {
        const durationMs = operation === 'reserve' ? 60_000 : 0;
        const gasBudget = 100_000 * (1 + (pick % 20));
        const small = { caller, gasBudget: 10_000, durationMs };
        const burst = [{ caller, gasBudget, durationMs }, small, small].slice(0, 1 + (pick % 3));
        for (const made of await reserveGas(redis, sponsor, burst)) {
          if (made) this.reservations.push(made.reservationId);
        }
        return;
      }
      case 'claim':
      case 'claimWithoutJob': {
        const leaseMs = operation === 'claim' ? 60_000 : 0;
        const inputs = [`0x${pick % 4}:1`];
        const payload = {
          caller,
          waiter,
          leaseMs,
          txBytes: 'AA==',
          userSig: 'AA==',
          usage: [],
          rule: '',
          inputs,
        };
        await claimReservation(redis, sponsor, { reservationId, digest, ...payload });
        return;
      }
      case 'begin': {
        const begun = await beginExecution(redis, sponsor, { ...job, executor: 'ex' });
        if (begun) this.sign(begun, digest);
        return;
      }
      case 'settle': {
        const begun = await beginExecution(redis, sponsor, { ...job, executor: 'ex' });
        if (!begun) return;
        this.sign(begun, digest);
        const sum = begun.coins.reduce((total, coin) => total + coin.balance, 0n);
        const gasCharged = BigInt(pick % 1_000);
        const [first] = begun.coins;
        const returned = [{ ...first!, version: first!.version + 1, balance: sum - gasCharged }];
        const settlement = { ...job, returned, rules, retentionMs, gasCharged };
        await settleExecution(redis, sponsor, { ...settlement, outcome: 'executed' });
        this.gas += gasCharged;
        return;
      }
      case 'refuse': {
        const refusal = { ...job, message: 'no', retentionMs };
        if ((await refuseExecution(redis, sponsor, refusal)).refused) this.unsign(digest);
        return;
      }
      case 'quarantine':
        await quarantineExecution(redis, sponsor, { ...job, message: 'held', epoch: 1n });
        return;
      case 'release':
        await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
        return;
      case 'expire':
        await expireReservations(redis, sponsor, { limit: 1 + (pick % 3), retentionMs });
        return;
      case 'reclaim':
        await reclaimClaim(redis, sponsor, { reservationId, fence: job.fence, retentionMs });
        return;
      case 'split':
      case 'fold': {
        const from = operation === 'fold' ? 'dust' : pick % 2 ? 'treasury' : 'available';
        const request = { kind: operation, from, maxCoins: 1 + (pick % 3), leaseMs: 0 } as const;
        const begun = await beginMaintenance(redis, sponsor, request);
        if (begun) this.operationIds.push(begun.operationId);
        return;
      }
      case 'finish':
        // Nothing is returned and nothing created only in a broken ledger: end it as the coins were.
        if (!(await abortMaintenance(redis, sponsor, { operationId }))) {
          const nothing = { returned: [], created: [aCoin(5)], rules, gasCharged: 0n };
          expect(await finishMaintenance(redis, sponsor, { operationId, ...nothing })).toBe(false);
        }
        return;
      default:
        await abortMaintenance(redis, sponsor, { operationId });
    }
  }

  async check(): Promise<void> {
    const { faults, coins } = await snapshotPool(store.redis, this.sponsor);
    expect(faults).toEqual([]);
    const held = coins.reduce((sum, coin) => sum + coin.balance, 0n);
    expect(held + this.gas).toBe(this.expected);
  }

  private sign(begun: BegunExecution, digest: string): void {
    for (const coin of begun.coins) {
      const version = `${coin.objectId}@${coin.version}`;
      expect(this.signed.get(version) ?? digest).toBe(digest);
      this.signed.set(version, digest);
    }
  }

  private unsign(digest: string): void {
    for (const [version, signedFor] of this.signed) {
      if (signedFor === digest) this.signed.delete(version);
    }
  }
}

describe('the invariant of a pool', () => {
  it('holds after every step of any sequence of operations', async () => {
    const step = fc.tuple(fc.constantFrom(...operations), fc.nat(1000));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), async (steps) => {
        // Three are alike: a burst takes them at once.
        const alike = [300_000, 300_000, 300_000];
        const balances = [900_000, 800_000, 700_000, ...alike, 50_000, 9_000_000, 4_000_000, 20];
        const { sponsor } = await store.aPool(...balances);
        const driver = new Driver(sponsor, BigInt(balances.reduce((sum, one) => sum + one, 0)));
        for (const [operation, pick] of steps) {
          await driver.run(operation, pick);
          await driver.check();
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
