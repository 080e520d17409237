import { describe, expect, it } from '@jest/globals';
import { aRefusal, aSponsorship } from '../history/records.test-support.js';
import { FigureWindow } from './figure-window.js';

const BEGAN = 1_700_000_000_000;
const NOTHING = {
  sponsored: 0,
  failed: 0,
  expired: 0,
  released: 0,
  refused: {},
  unserved_at: {},
  executed_at: null,
  latency_ms: null,
};

const sponsorship = (over: Parameters<typeof aSponsorship>[1]) =>
  ({ type: 'sponsorship', data: aSponsorship(64, over) }) as const;
const executed = (latencyMs: number, outcome: 'success' | 'failure' = 'success') =>
  sponsorship({
    outcome,
    timeline: [
      { at: 10, event: 'claimed' },
      { at: 100, event: 'claimed' },
    ],
    ended_at: 100 + latencyMs,
  });

describe('the figures of a minute', () => {
  it('count outcomes and refusals, with the latency since the last claim', () => {
    const window = new FigureWindow(BEGAN);
    for (let latency = 1; latency <= 100; latency++) window.add(executed(latency), BEGAN);
    window.add(executed(500, 'failure'), BEGAN + 1_500);
    for (const status of ['expired', 'released', 'reserved', 'executing'] as const) {
      window.add(sponsorship({ status, outcome: null }), BEGAN + 2_000);
    }
    const refusal = { at: 1, status: 400, code: 'REFUSED_BY_LEDGER', message: '', digest: null };
    const refused = { status: 'reserved', outcome: null, refusals: [refusal] } as const;
    window.add(sponsorship(refused), BEGAN + 2_000);
    window.add({ type: 'refusal', data: aRefusal(5) }, BEGAN + 2_500);
    expect(window.read(BEGAN + 3_000)).toEqual({
      for_ms: 3_000,
      sponsored: 100,
      failed: 1,
      expired: 1,
      released: 1,
      refused: { REFUSED_BY_LEDGER: 1, FORBIDDEN: 1 },
      unserved_at: {},
      executed_at: BEGAN + 1_500,
      latency_ms: { p50: 51, p99: 100 },
    });
  });

  it('forget what is older than a minute', () => {
    const window = new FigureWindow(BEGAN);
    expect(window.read(BEGAN)).toEqual({ for_ms: 0, ...NOTHING });
    window.add(executed(5), BEGAN + 500);
    window.add(executed(7), BEGAN + 30_000);
    expect(window.read(BEGAN + 60_500)).toMatchObject({ for_ms: 60_000, sponsored: 1 });
    expect(window.read(BEGAN + 200_000)).toEqual({
      for_ms: 60_000,
      ...NOTHING,
      executed_at: BEGAN + 30_000,
    });
  });

  it('say when the gas station last refused what it should have served', () => {
    const window = new FigureWindow(BEGAN);
    const unserved = aRefusal(5, { status: 503, code: 'LEDGER_UNREACHABLE' });
    window.add({ type: 'refusal', data: aRefusal(4) }, BEGAN);
    for (const at of [1_000, 5_000]) window.add({ type: 'refusal', data: unserved }, BEGAN + at);
    expect(window.read(BEGAN + 6_000)).toMatchObject({
      refused: { FORBIDDEN: 1, LEDGER_UNREACHABLE: 2 },
      unserved_at: { LEDGER_UNREACHABLE: BEGAN + 5_000 },
    });
    expect(window.read(BEGAN + 66_000)).toMatchObject({ unserved_at: {} });
  });
});
