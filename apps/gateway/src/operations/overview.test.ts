import { describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { aRefusal, aSponsorship, Records } from '../history/records.test-support.js';
import type { FleetSummary } from './fleet.service.js';
import { OverviewService } from './overview.service.js';

const SPONSOR = {
  sponsor_address: '0x5',
  signer: null,
  balance: '1',
  coins: {},
  sizes: [],
  spending: { hour: null, day: null },
  days_left: null,
  leader: null,
  suspended_secs: null,
  drain: null,
  reservations: {},
};
const SUMMARY: FleetSummary = {
  sponsors: [SPONSOR],
  queue: null,
  epoch: 7,
  epoch_ends_at: null,
  pauses: [],
  failing_webhooks: [],
  other_ledger_nodes: null,
  problems: [{ part: 'queue', message: 'Redis is unreachable' }],
};

type History = ConstructorParameters<typeof OverviewService>[1];

function anOverview(history: History, summary = async () => SUMMARY) {
  let looks = 0;
  const summarize = () => {
    looks += 1;
    return summary();
  };
  return { overview: new OverviewService(partial({ summarize }), history), looks: () => looks };
}

/** The codes with which requests were refused in the last minute. */
function refusedWith(records: Records, ...codes: string[]): History {
  const { history } = records;
  return partial({
    listSponsorships: history.listSponsorships.bind(history),
    listRefusals: history.listRefusals.bind(history),
    sumUsage: async (message: Parameters<typeof history.sumUsage>[0]) => ({
      ...(await history.sumUsage(message)),
      rows: codes.map((code) => ({ code, transactions: 0, failed: 0, refused: 3, gas: '0' })),
    }),
  });
}

describe('the overview', () => {
  it('has the requests of the last minute, and when the gas station last served none', async () => {
    const records = new Records();
    const now = Date.now();
    records.stored = [aSponsorship(now - 500), aSponsorship(now - 900, { status: 'expired' })];
    records.refusals = [
      aRefusal(now - 3_000, { code: 'LEDGER_UNREACHABLE', status: 503 }),
      aRefusal(now - 7_000, { code: 'LEDGER_UNREACHABLE', status: 503 }),
    ];
    const history = refusedWith(records, 'LEDGER_UNREACHABLE', 'FORBIDDEN', 'toString');
    const { at: time, recent } = await anOverview(history).overview.read();
    expect(time).toBeGreaterThanOrEqual(now);
    expect(recent).toEqual({
      sponsored: 1,
      failed: 1,
      refused: { LEDGER_UNREACHABLE: 3, FORBIDDEN: 3, toString: 3 },
      unserved_at: { LEDGER_UNREACHABLE: now - 3_000 },
      executed_at: now - 499,
    });
    for (const { cmd, message } of records.lookups) {
      const from =
        'filters' in message && message.filters.from ? message.filters.from : message.from;
      expect([cmd, Math.abs(now - 60_000 - from) < 1_000]).toEqual([cmd, true]);
    }
  });

  it('is read once for all who ask within a second', async () => {
    const { overview, looks } = anOverview(new Records().history);
    const all = await Promise.all(Array.from({ length: 20 }, () => overview.read()));
    expect([looks(), new Set(all).size]).toEqual([1, 1]);
  });

  it('names records that cannot be read, and has none without history', async () => {
    const records = new Records();
    records.outages.history = { code: 'HISTORY_UNREACHABLE', detail: '' };
    const down = await anOverview(records.history).overview.read();
    expect(down.recent).toBeNull();
    expect(down.problems).toEqual([
      ...SUMMARY.problems,
      { part: 'records', message: expect.stringContaining('The history') },
    ]);
    records.outages.history = { code: 'HISTORY_OFF', detail: '' };
    const off = await anOverview(records.history).overview.read();
    expect([off.recent, off.problems]).toEqual([null, SUMMARY.problems]);
  });

  it('shows the sponsors that were read last while the coin-pools do not answer', async () => {
    let sponsors: FleetSummary['sponsors'] = [SPONSOR];
    const { overview } = anOverview(new Records().history, async () => ({ ...SUMMARY, sponsors }));
    const before = await overview.read();
    sponsors = null;
    let after = before;
    while (after === before) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      after = await overview.read();
    }
    expect(after.sponsors).toEqual([SPONSOR]);
    expect(after.sponsors_read_at).toBe(before.sponsors_read_at);
  });
});
