import { afterEach, describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { system } from '../support/systems/usual-system.js';

const EXECUTE = 'iota_executeTransactionBlock';

const inState = async (state: 'executing' | 'quarantined') => (await system.totals()).coins[state];

describe('an indexer that answers every error of a write with -32603', () => {
  afterEach(() => system.control.clearFaults());

  it('does not bind coins forever: they return after the epoch', async () => {
    const before = await system.settledTotals();
    await system.control.fault({
      kind: 'refuse',
      method: EXECUTE,
      code: -32603,
      message: 'Internal error',
    });
    const unknown = sponsor(system.application);
    await system.until(async () => (await inState('executing')) === 1n);
    await system.until(async () => (await system.control.requestsOf(EXECUTE)) > 4);
    await system.control.advanceEpoch();
    await system.until(async () => (await inState('quarantined')) === 1n);
    await system.control.clearFaults();
    const { answer } = await unknown;
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('not executed before the epoch of its submission ended');
    await system.until(async () => (await inState('quarantined')) === 0n, 120_000);
    expect((await system.settledTotals()).coins).toBe(before.coins);
    expect((await sponsor(system.application)).answer.status).toBe(200);
    expect(await system.differences()).toEqual([]);
  }, 240_000);
});
