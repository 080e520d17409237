import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ErrorCode, ForecourtError } from '@forecourt/contracts';
import { Metrics } from '@forecourt/runtime/metrics';
import { createLogger } from '@forecourt/runtime/service';
import { AccessAudit } from '../access/access-audit.js';
import { AccessPolicy } from '../access/access-policy.js';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { aGateway, CLAIMED } = await import('./executions.test-support.js');

const LIMIT = {
  counts: 'requests',
  counter: 'C',
  comparison: { operator: '<=', limit: 1n },
  windowMs: 60_000,
  countBy: [],
} as const;
const LOOK_UP = 'inputs';
const CLAIM = [LOOK_UP, 'claim', 'wait', 'effects'];

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
    hookSecret: null,
  };
  const audit = new AccessAudit(
    { accessAuditFile: null, accessAuditRequired: false, accessRulesFile: null },
    new Metrics(),
    createLogger('test', 'fatal'),
  );
  const accessPolicy = await AccessPolicy.load(settings, audit, { warn: () => undefined });
  gateway = await aGateway({ claims: [claim], usages, accessPolicy });
});

/** The steps of a call that concern limits; the last one is its end. */
async function stepsOfCall(): Promise<readonly string[]> {
  const steps = await gateway.execute(isCounted ? [LIMIT] : []);
  return steps.filter((step) => !['verify', 'find', 'running', 'room'].includes(step));
}

describe('the limits of a token', () => {
  it('are not read while they are not used up', async () => {
    expect(await stepsOfCall()).toEqual(CLAIM);
  });

  it('are read before the ledger is called once one of them was used up', async () => {
    used = 1;
    expect(await stepsOfCall()).toEqual([LOOK_UP, 'claim', 'count', 'SPENDING_LIMIT']);
    expect(await stepsOfCall()).toEqual(['read usages', 'SPENDING_LIMIT']);
    expect(await stepsOfCall()).toEqual(['read usages', 'SPENDING_LIMIT']);
    expect(gateway.asked.at(-1)).toEqual({ sponsor: '0x5', counters: ['C'] });
  });

  it('allow claims as before once they are renewed', async () => {
    used = 1;
    await stepsOfCall();
    used = 0;
    expect(await stepsOfCall()).toEqual(['read usages', ...CLAIM]);
  });

  it('are neither read nor decided twice where no counter is concerned', async () => {
    used = 1;
    await stepsOfCall();
    [used, isCounted] = [0, false];
    expect(await stepsOfCall()).toEqual(CLAIM);
  });

  it('are read first for a minute after one of them was used up, whichever transactions pass', async () => {
    used = 1;
    await stepsOfCall();
    for (let round = 0; round < 3; round++) {
      used = 0;
      expect(await stepsOfCall()).toEqual(['read usages', ...CLAIM]);
      used = 1;
      expect(await stepsOfCall()).toEqual(['read usages', 'SPENDING_LIMIT']);
    }
    const late = performance.now() + 60_001;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(late);
    used = 0;
    expect(await stepsOfCall()).toEqual(CLAIM);
    clock.mockRestore();
  });

  it.each(['INPUT_IN_FLIGHT', 'QUARANTINE_LIMIT'] as const)(
    'count a refused claim against the caller, because the ledger was asked: %s',
    async (code) => {
      refusal = code;
      expect(await stepsOfCall()).toEqual([LOOK_UP, 'claim', 'count', code]);
    },
  );

  it('count no refusal that a client’s retry may meet', async () => {
    refusal = 'RESERVATION_EXPIRED';
    const steps = [LOOK_UP, 'claim', 'look up', 'RESERVATION_EXPIRED'];
    expect(await stepsOfCall()).toEqual(steps);
  });
});
