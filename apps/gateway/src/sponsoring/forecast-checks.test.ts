import {
  FORECAST_VERSION,
  FORECASTS_KEY,
  ForecourtError,
  type Sponsorship,
  type StoredForecast,
} from '@forecourt/contracts';
import { createIotaLedger, type FinalTransaction, LedgerUnreachable } from '@forecourt/ledger';
import { partial, useRedis } from '@forecourt/testing/jest';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { AuditedDecision } from '../access/access-audit.js';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { ForecastChecks } = await import('./forecast-checks.js');

const redis = useRedis((url) => new Redis(url));
beforeEach(() => redis.flushall());

const SPONSOR = `0x${'5'.repeat(64)}`;
const IOTA = '0x2::iota::IOTA';
const gasUsed = {
  computationCost: '0',
  computationCostBurned: '0',
  storageCost: '0',
  storageRebate: '0',
  nonRefundableStorageFee: '0',
};
const EFFECTS = { gasUsed };
const received = (amount: string) => [{ owner: { AddressOwner: SPONSOR }, coinType: IOTA, amount }];
const receives = (comparison: string) =>
  JSON.stringify([{ owner: 'sponsor', 'coin-type': IOTA, receives: comparison }]);
const ALLOWS = { rule: 'pays', line: 4, quantifier: 'every', condition: receives('>=5') } as const;
const DENIES = { rule: 'greedy', line: 9, quantifier: 'any', condition: receives('>=9') } as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.now();

const aForecast = (of: Partial<StoredForecast> = {}): StoredForecast => ({
  v: FORECAST_VERSION,
  at: NOW,
  requestId: 'r-1',
  caller: 'shop',
  reservationId: 64,
  digest: 'D',
  sender: `0x${'1'.repeat(64)}`,
  gasOwner: SPONSOR,
  gasBudget: '500',
  reservedBudget: 500,
  durationSecs: 60,
  assumed: [ALLOWS],
  dryRun: false,
  ...of,
});

/** Several gateways with one ledger, where these transactions have landed and show these balance changes. */
function aFleet() {
  const codec = createIotaLedger({ urls: ['http://127.0.0.1:1'], requestTimeoutMs: 100 });
  const landed = new Map<string, unknown>();
  const audited: string[] = [];
  const paused: string[] = [];
  /** Transactions that a reservation is bound to. */
  const bound = new Set(['D']);
  let isReachable = true;
  let isPoolReachable = true;
  let looks = 0;
  const ledger = {
    readBalanceChanges: codec.readBalanceChanges.bind(codec),
    waitForLocalExecution: async () => true,
    findTransaction: async (digest: string) => {
      looks += 1;
      if (!isReachable) throw new LedgerUnreachable('no node');
      return landed.has(digest) ? ({ digest, effects: EFFECTS } as FinalTransaction) : null;
    },
    readTransactionParts: async (digest: string) => ({ balanceChanges: landed.get(digest) }),
  };
  const aGateway = () =>
    new ForecastChecks(
      redis,
      partial(ledger),
      partial({ maxMissedForecasts: 3 }),
      partial({ info: () => undefined, warn: () => undefined }),
      partial({ pause: async (scope: string) => void paused.push(scope) }),
      partial({
        write: ({ stage, outcome, rule, subject }: AuditedDecision) =>
          void audited.push(`${stage} ${outcome} ${rule?.name} ${subject.transaction?.digest}`),
      }),
      partial({
        findSponsorship: async ({ digest }) => {
          if (!isPoolReachable) throw new ForecourtError('STORE_UNREACHABLE');
          return bound.has(digest!) ? ({ digest } as Sponsorship) : null;
        },
      }),
    );
  return {
    aGateway,
    landed,
    audited,
    paused,
    looks: () => looks,
    reachable: (is: boolean) => void (isReachable = is),
    poolReachable: (is: boolean) => void (isPoolReachable = is),
  };
}

const waiting = () => redis.zcard(FORECASTS_KEY);

describe('the forecast of a transaction', () => {
  it('is compared at once by the call that has it executed, and forgotten', async () => {
    const { aGateway, landed, audited } = aFleet();
    const gateway = aGateway();
    landed.set('D', received('5')).set('E', received('4'));
    for (const digest of ['D', 'E']) {
      await gateway.check(await gateway.remember(aForecast({ digest })), EFFECTS);
    }
    expect([audited, await waiting()]).toEqual([['executed deny pays E'], 0]);
  });

  it('is compared by any gateway once it is due, also after a restart of the one that has made it', async () => {
    const { aGateway, landed, audited } = aFleet();
    await aGateway().remember(aForecast());
    landed.set('D', received('4'));
    const other = aGateway();
    await other.checkDue(NOW);
    expect(audited).toEqual([]);
    await other.checkDue(NOW + MINUTE);
    expect([audited, await waiting()]).toEqual([['executed deny pays D'], 0]);
  });

  it('waits for a transaction that is executed later, and is looked up less and less often', async () => {
    const { aGateway, landed, audited, looks } = aFleet();
    const gateway = aGateway();
    await gateway.remember(aForecast());
    for (let second = 0; second < 3_600; second += 5) await gateway.checkDue(NOW + second * 1_000);
    expect(looks()).toBeGreaterThan(5);
    expect(looks()).toBeLessThan(20);
    landed.set('D', received('0'));
    await gateway.checkDue(NOW + 2 * HOUR);
    expect([audited, await waiting()]).toEqual([['executed deny pays D'], 0]);
  });

  it('is forgotten if its transaction is refused, or not executed within an epoch', async () => {
    const { aGateway, audited } = aFleet();
    const gateway = aGateway();
    await gateway.forget(await gateway.remember(aForecast()));
    expect(await waiting()).toBe(0);
    await gateway.remember(aForecast());
    await gateway.checkDue(NOW + 24 * HOUR);
    expect(await waiting()).toBe(1);
    await gateway.checkDue(NOW + 26 * HOUR);
    expect([audited, await waiting()]).toEqual([[], 0]);
  });

  it('is forgotten after the end of its reservation if no claim was made', async () => {
    const { aGateway, audited, looks } = aFleet();
    const gateway = aGateway();
    await gateway.remember(aForecast({ digest: 'unclaimed', durationSecs: 600 }));
    await gateway.checkDue(NOW + 9 * MINUTE);
    expect([await waiting(), looks()]).toEqual([1, 1]);
    await gateway.checkDue(NOW + 20 * MINUTE);
    expect([audited, await waiting()]).toEqual([[], 0]);
  });

  it('stays while no coin-pool answers whether a claim was made, and is compared if it was', async () => {
    const { aGateway, landed, audited, poolReachable } = aFleet();
    const gateway = aGateway();
    await gateway.remember(aForecast({ digest: 'unclaimed' }));
    poolReachable(false);
    await expect(gateway.checkDue(NOW + HOUR)).rejects.toThrow(ForecourtError);
    expect(await waiting()).toBe(1);
    landed.set('unclaimed', received('4'));
    await gateway.checkDue(NOW + 2 * HOUR);
    expect([audited, await waiting()]).toEqual([['executed deny pays unclaimed'], 0]);
  });

  it('is missed by a rule that would have denied what the transaction has changed', async () => {
    const { aGateway, landed, audited } = aFleet();
    const gateway = aGateway();
    const assumed = [DENIES, ALLOWS];
    landed.set('D', received('8')).set('E', received('9')).set('F', received('1'));
    for (const digest of ['D', 'E', 'F']) {
      await gateway.check(await gateway.remember(aForecast({ digest, assumed })), EFFECTS);
    }
    expect(audited).toEqual(['executed deny greedy E', 'executed deny pays F']);
  });

  it.each<[string, unknown]>([
    ['none', null],
    ['malformed ones', [{ amount: '5' }]],
  ])('is undecided if nodes show %s ten minutes later', async (_, changes) => {
    const { aGateway, landed, audited, paused } = aFleet();
    const gateway = aGateway();
    landed.set('D', changes);
    await gateway.check(await gateway.remember(aForecast()), EFFECTS);
    await gateway.checkDue(NOW + 5 * MINUTE);
    expect([audited, await waiting()]).toEqual([[], 1]);
    await gateway.checkDue(NOW + 11 * MINUTE);
    expect([audited, await waiting()]).toEqual([['executed undecided pays D'], 0]);
    expect(paused).toEqual([]);
  });

  it('stays while no node answers', async () => {
    const { aGateway, landed, audited, reachable } = aFleet();
    const gateway = aGateway();
    await gateway.remember(aForecast());
    landed.set('D', received('4'));
    reachable(false);
    await expect(gateway.checkDue(NOW + MINUTE)).rejects.toThrow('no node');
    reachable(true);
    await gateway.checkDue(NOW + HOUR);
    expect(audited).toEqual(['executed deny pays D']);
  });

  it('counts once although several gateways compare it at the same time', async () => {
    const { aGateway, landed, audited, paused } = aFleet();
    const fleet = [aGateway(), aGateway(), aGateway()];
    landed.set('D', received('4'));
    const stored = await fleet[0]!.remember(aForecast());
    await Promise.all(fleet.map((gateway) => gateway.check(stored, EFFECTS)));
    expect([audited, paused]).toEqual([['executed deny pays D'], []]);
  });

  it('of another release stays as it is', async () => {
    const { aGateway, landed, audited } = aFleet();
    const gateway = aGateway();
    landed.set('D', received('4'));
    await gateway.remember(aForecast({ v: FORECAST_VERSION + 1 }));
    await redis.zadd(FORECASTS_KEY, 0, 'unreadable');
    await gateway.checkDue(NOW + MINUTE);
    expect([audited, await waiting()]).toEqual([[], 2]);
  });
});

describe('a token whose forecasts are missed', () => {
  /** Executes a transaction that pays too little. */
  async function miss(fleet: ReturnType<typeof aFleet>, digest: string, of = {}) {
    fleet.landed.set(digest, received('4'));
    const gateway = fleet.aGateway();
    await gateway.check(await gateway.remember(aForecast({ digest, ...of })), EFFECTS);
  }

  it('is paused by forecast at the third within an hour, at whichever gateways, and again after three more', async () => {
    const fleet = aFleet();
    for (const digest of ['A', 'B']) await miss(fleet, digest);
    expect(fleet.paused).toEqual([]);
    await miss(fleet, 'C');
    expect(fleet.paused).toEqual(['token shop by forecast']);
    for (const digest of ['D', 'E']) await miss(fleet, digest);
    expect(fleet.paused).toHaveLength(1);
    await miss(fleet, 'F');
    expect(fleet.paused).toHaveLength(2);
  });

  it('is not paused by those of another token, by one transaction again, or while rules are tried out', async () => {
    const fleet = aFleet();
    for (const digest of ['A', 'B']) await miss(fleet, digest);
    await miss(fleet, 'C', { caller: 'other' });
    await miss(fleet, 'B');
    for (const digest of ['D', 'E', 'F']) await miss(fleet, digest, { dryRun: true });
    expect(fleet.paused).toEqual([]);
    expect(fleet.audited).toHaveLength(7);
  });
});
