import type { Logger } from '@forecourt/runtime/service';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { type ErrorCode, ForecourtError } from '@forecourt/contracts';
import { AccessPolicy } from '../access/access-policy.js';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { aGateway, CLAIMED } = await import('./executions.test-support.js');

const LIMIT = {
  counts: 'requests',
  counter: 'C',
  comparison: { operator: '<=', limit: 1n },
  windowMs: 60_000,
  until: null,
  countBy: [],
  budget: null,
} as const;
/** How many transactions the counter `C` has counted. */
let used: number;
/** The coin-pool refuses every claim with it; null: it claims. */
let refusal: ErrorCode | null;
/** Whether transactions count in `C`. */
let isCounted: boolean;
let gateway: Awaited<ReturnType<typeof aGateway>>;

beforeEach(async () => {
  [used, refusal, isCounted] = [0, null, true];
  const usages = () => [{ counter: 'C', used: String(used), endsInMs: 1_000 }];
  const claim = () => {
    if (refusal !== null) throw new ForecourtError(refusal);
    return used < 1 ? CLAIMED : { claimed: false, found: null, usages: usages() };
  };
  const settings = {
    tokens: [],
    allowUnauthenticated: true,
    tokensFile: null,
    accessRulesFile: null,
  };
  const audit = { requireWritable: () => undefined, write: () => undefined };
  const logger = partial<Logger>({ info: () => undefined, warn: () => undefined });
  const accessPolicy = await AccessPolicy.load(settings, partial(audit), logger);
  gateway = await aGateway({ claims: [claim], usages, accessPolicy });
});

/**
 * The end of a call, how often it has read the counters, whether it has cost the ledger a look-up, and what
 * was counted.
 */
async function call() {
  const { end, did } = await gateway.execute(isCounted ? [LIMIT] : []);
  const { 'usages read': reads, 'inputs looked up': lookUps, 'refusals counted': counted } = did;
  return { end, reads, lookUps, counted };
}

const PASSED = { end: 'effects', reads: 0, lookUps: 1, counted: 0 };
const PASSED_AFTER_READING = { ...PASSED, reads: 1 };
const REFUSED_AFTER_READING = { end: 'REQUEST_LIMIT', reads: 1, lookUps: 0, counted: 0 };

describe('the limits of a token', () => {
  it('are not read while they are not used up', async () => {
    expect(await call()).toEqual(PASSED);
  });

  it('are read before the ledger is called once one of them was used up', async () => {
    used = 1;
    expect(await call()).toEqual({ end: 'REQUEST_LIMIT', reads: 0, lookUps: 1, counted: 1 });
    expect(await call()).toEqual(REFUSED_AFTER_READING);
    expect(await call()).toEqual(REFUSED_AFTER_READING);
    expect(gateway.requests.at(-1)).toEqual({ sponsor: '0x5', counters: ['C'] });
  });

  it('allow claims as before once they are renewed', async () => {
    used = 1;
    await call();
    used = 0;
    expect(await call()).toEqual(PASSED_AFTER_READING);
  });

  it('are neither read nor decided twice where no counter is concerned', async () => {
    used = 1;
    await call();
    [used, isCounted] = [0, false];
    expect(await call()).toEqual(PASSED);
  });

  it('are read first for a minute after one of them was used up, whichever transactions pass', async () => {
    used = 1;
    await call();
    for (let round = 0; round < 3; round++) {
      used = 0;
      expect(await call()).toEqual(PASSED_AFTER_READING);
      used = 1;
      expect(await call()).toEqual(REFUSED_AFTER_READING);
    }
    const late = performance.now() + 60_001;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(late);
    used = 0;
    expect(await call()).toEqual(PASSED);
    clock.mockRestore();
  });

  it.each([
    ['INPUT_IN_FLIGHT', 1],
    ['QUARANTINE_LIMIT', 1],
    // A client's retry may meet it.
    ['RESERVATION_EXPIRED', 0],
  ] as const)(
    'count a claim that is refused with %s %d times against the caller',
    async (end, counted) => {
      refusal = end;
      expect(await call()).toEqual({ end, reads: 0, lookUps: 1, counted });
    },
  );
});
