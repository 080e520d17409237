import { describe, expect, it } from '@jest/globals';
import type { Answer, SponsoredCall } from '../../chaos/sponsored-call.js';
import {
  findContainerViolations,
  findIdleViolations,
  findStandstills,
} from './find-container-violations.js';

const executed: Answer = { kind: 'executed', effects: {} };
const refused: Answer = { kind: 'refused', status: 400, error: 'unknown reservation' };
const landed = new Map([['D1', { digest: 'D1', times: 1, effects: {} }]]);

function callOf(digest: string, ...answers: Answer[]): SponsoredCall {
  return {
    digest,
    answers,
    client: 0,
    action: digest,
    behaviour: 'plain',
    reservationId: 1,
    txBytes: '',
    userSig: '',
    coins: [],
    waitedMs: null,
    answeredAt: null,
  };
}

describe('the check of a run in containers', () => {
  it('accepts executed transactions and a forgotten reservation', () => {
    const forgotten = callOf('D2', refused);
    const calls = [callOf('D1', executed), forgotten];
    expect(findContainerViolations({ calls, landed, forgotten: new Set([forgotten]) })).toEqual([]);
  });

  it('reports a refused transaction whose reservation was not forgotten', () => {
    const calls = [callOf('D2', refused)];
    expect(findContainerViolations({ calls, landed, forgotten: new Set() })).toEqual([
      {
        requirement: 'only a reservation that was forgotten or has expired is refused',
        detail: 'D2: 400 unknown reservation',
      },
    ]);
  });

  it('accepts a refusal after a wait in which the reservation may have expired', () => {
    const refusedAfter = (waitedMs: number) => ({ ...callOf('D2', refused), waitedMs });
    const find = (call: SponsoredCall) =>
      findContainerViolations({ landed, calls: [call], forgotten: new Set() });
    expect(find(refusedAfter(15_001))).toEqual([]);
    expect(find(refusedAfter(14_999))).toHaveLength(1);
  });

  it('reports a transaction without an outcome, forgotten or not', () => {
    const calls = [callOf('D1'), callOf('D2')];
    const violations = findContainerViolations({ calls, landed, forgotten: new Set(calls) });
    const requirement = 'every transaction ends with an outcome';
    expect(violations).toEqual([
      { requirement, detail: 'D1 was never answered, the ledger executed it' },
      { requirement, detail: 'D2 was never answered, the ledger has none' },
    ]);
  });

  it('reports a kill after which nothing was executed', () => {
    const kills = [
      { names: ['executor-1'], servedMs: 1 },
      { names: ['redis-1', 'coin-pool-1'], servedMs: null },
    ];
    expect(findStandstills(kills)).toMatchObject([{ detail: 'redis-1 and coin-pool-1' }]);
  });

  it('reports containers that together use too much of a core', () => {
    const use = { id: 'a', memory: '1MiB', percentOfCore: 1.4 };
    expect(findIdleViolations([use, use])).toEqual([]);
    expect(findIdleViolations([use, use, use])).toMatchObject([
      { detail: 'all together use 4.20 %' },
    ]);
  });
});
