import { describe, expect, it } from '@jest/globals';
import { ForecourtError, type FoundReservation } from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import { DirectReplies, LOGGER, REDIS, ServiceState } from '@forecourt/runtime/service';
import { Test } from '@nestjs/testing';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { Outcomes } from './outcomes.js';
import { LandedTransactions } from './landed-transactions.js';

const waiter = { gateway: 'g', requestType: 'waitForEffectsCert' } as const;
const lookup = { caller: 'shop', reservationId: 64, digest: 'D', waiter };
const effects = { status: { status: 'success' } };
const executing: FoundReservation = {
  reservationId: 64,
  sponsor: '0xa0',
  state: 'executing',
  gasBudget: 1,
  durationSecs: 60,
  coins: [],
  mayLeaveDust: false,
  digest: 'D',
  fence: 2,
  refusal: null,
};
/** The ledger refused the claim with this fence, which freed the reservation. */
const refused = (fence: number): FoundReservation => ({
  ...executing,
  state: 'reserved',
  digest: null,
  refusal: { digest: 'D', fence, message: 'no such object' },
});

interface Answers {
  /** The coin-pool's second answer. */
  readonly later?: FoundReservation | ForecourtError;
  readonly landed?: () => Promise<unknown>;
  readonly waitMs?: number;
  readonly countRepetition?: () => Promise<void>;
}

async function outcomesWith(known: FoundReservation, answers: Answers = {}): Promise<Outcomes> {
  const {
    later = known,
    landed = async () => null,
    waitMs = 3_000,
    countRepetition = async () => undefined,
  } = answers;
  const findReservation = async () => {
    if (later instanceof ForecourtError) throw later;
    return { found: later };
  };
  const module = await Test.createTestingModule({
    providers: [
      DirectReplies,
      Outcomes,
      { provide: GATEWAY_CONFIG, useValue: { executeWaitMs: waitMs } },
      { provide: REDIS, useValue: {} },
      { provide: LOGGER, useValue: {} },
      { provide: ServiceState, useValue: { answerBy: Infinity } },
      { provide: CoinPoolClient, useValue: { findReservation } },
      { provide: LandedTransactions, useValue: { find: landed, countRepetition } },
    ],
  }).compile();
  return module.get(Outcomes);
}

async function wait(known: FoundReservation, answers: Answers = {}) {
  const outcomes = await outcomesWith(known, answers);
  const watch = outcomes.watch(lookup);
  try {
    return await outcomes.wait(watch, known);
  } finally {
    watch.close();
  }
}

const rejection = async (run: Promise<unknown>): Promise<string> => {
  const error: unknown = await run.catch((cause: unknown) => cause);
  return error instanceof ForecourtError ? error.code : String(error);
};

describe('the wait for the outcome of a transaction', () => {
  it('returns the effects of a reservation that is executed', async () => {
    const landed = async () => ({ effects });
    expect(await wait({ ...executing, state: 'executed' }, { landed })).toBe(effects);
  });

  it('counts the repetition of a call whose reservation is executed already, and no other', async () => {
    const tooOften = () => Promise.reject(new ForecourtError('REFUSED_TOO_OFTEN'));
    const executed = { ...executing, state: 'executed' } as const;
    const repeated = wait(executed, { countRepetition: tooOften });
    expect(await rejection(repeated)).toBe('REFUSED_TOO_OFTEN');
    const landed = async () => ({ effects });
    const first = wait(executing, { later: executed, landed, countRepetition: tooOften });
    expect(await first).toBe(effects);
  });

  it('ends with the ledger’s refusal of this claim', async () => {
    expect(await rejection(wait(executing, { later: refused(2) }))).toBe('REFUSED_BY_LEDGER');
  });

  it.each([1, 3])('ignores the refusal of another claim, fence %i', async (fence) => {
    expect(await rejection(wait(executing, { later: refused(fence) }))).toBe('OUTCOME_UNKNOWN');
  });

  it('continues during a quarantine whose transaction may still be executed, and ends as it ends', async () => {
    const open = { ...refused(2), refusal: { digest: 'D', fence: 0, message: 'locked' } };
    const quarantined = { ...open, state: 'quarantined', digest: 'D' } as const;
    expect(await rejection(wait(quarantined, { waitMs: 100 }))).toBe('OUTCOME_UNKNOWN');
    const over = { ...quarantined, ...refused(2), state: 'expired' } as const;
    const ended = wait(quarantined, { later: over });
    await expect(ended).rejects.toThrow('no such object');
    const unnamed = { ...over, refusal: { digest: 'D', fence: 2, message: '' } };
    await expect(wait(quarantined, { later: unnamed })).rejects.toThrow(
      'not executed before the epoch of its submission ended',
    );
    const executed = { ...quarantined, state: 'executed' } as const;
    const landed = async () => ({ effects });
    expect(await wait(quarantined, { later: executed, landed })).toBe(effects);
  });

  it('ends with the refusal once the quarantined transaction can never be executed', async () => {
    const conflict = { ...refused(2), state: 'quarantined', digest: 'D' } as const;
    await expect(wait(conflict)).rejects.toThrow('no such object');
  });

  it('ends when another transaction has the reservation', async () => {
    const later = { ...executing, digest: 'E' };
    expect(await rejection(wait({ ...executing, state: 'executed', digest: 'E' }))).toBe(
      'RESERVATION_USED',
    );
    expect(await rejection(wait(executing, { later: { ...later, state: 'executed' } }))).toBe(
      'RESERVATION_USED',
    );
  });

  it.each([
    ['expired', 'RESERVATION_EXPIRED'],
    ['released', 'RESERVATION_RELEASED'],
  ] as const)('ends when the reservation is %s without a transaction', async (state, code) => {
    expect(await rejection(wait(executing, { later: { ...executing, state, digest: null } }))).toBe(
      code,
    );
  });

  it('continues while the ledger or the coin-pool is unreachable, until the time limit', async () => {
    const landed = () => Promise.reject(new LedgerUnreachable('gone'));
    const gone = { ...executing, state: 'executed' } as const;
    expect(await rejection(wait(gone, { landed, waitMs: 100 }))).toBe('OUTCOME_UNKNOWN');
    for (const code of ['STORE_UNREACHABLE', 'POOL_REFUSED', 'COIN_POOL_OUTDATED'] as const) {
      const later = new ForecourtError(code);
      expect(await rejection(wait(gone, { later, waitMs: 600 }))).toBe('OUTCOME_UNKNOWN');
    }
  });
});

describe('a reply of an executor', () => {
  const executed = { kind: 'executed', effects };
  const reply = { reservationId: 64, digest: 'D', fence: 2, outcome: executed };

  it('reaches every waiter for its digest, and no other', async () => {
    const outcomes = await outcomesWith(executing, { waitMs: 100 });
    const other = { ...lookup, digest: 'E' };
    const calls = [lookup, lookup, other].map((one) => {
      const watch = outcomes.watch(one);
      return outcomes.wait(watch, { ...executing, digest: one.digest });
    });
    const ended = Promise.allSettled(calls);
    outcomes.receive(JSON.stringify(reply));
    const fulfilled = { status: 'fulfilled', value: effects };
    const unknown = { status: 'rejected', reason: { code: 'OUTCOME_UNKNOWN' } };
    expect(await ended).toMatchObject([fulfilled, fulfilled, unknown]);
  });

  it('does not reach a closed watch', async () => {
    const outcomes = await outcomesWith(executing);
    const watch = outcomes.watch(lookup);
    watch.close();
    outcomes.receive(JSON.stringify(reply));
    expect(watch.effects).toBeNull();
  });
});
