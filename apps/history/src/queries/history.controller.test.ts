import type { SumUsage, UsageReport, Viewer } from '@forecourt/contracts';
import { describe, expect, it } from '@jest/globals';
import { FairAnswers } from '../database/fair-answers.js';
import { HistoryController } from './history.controller.js';
import type { LatencyQueries } from './latency-queries.js';
import type { RefusalQueries } from './refusal-queries.js';
import type { SponsorshipQueries } from './sponsorship-queries.js';
import type { TrafficQueries } from './traffic-queries.js';
import type { UsageQueries } from './usage-queries.js';

const READERS = 5;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Messages to a service whose reports take until they are ended, and what the database has been asked. */
function aController() {
  const requests: (string | null)[] = [];
  const ends: (() => void)[] = [];
  const sum = ({ viewer }: SumUsage) => {
    requests.push(viewer.user ?? viewer.token);
    return new Promise<UsageReport>((resolve) => ends.push(() => resolve({} as UsageReport)));
  };
  const find = async () => null;
  const controller = new HistoryController(
    new FairAnswers(READERS),
    { find } as unknown as SponsorshipQueries,
    {} as RefusalQueries,
    { sum } as unknown as UsageQueries,
    {} as LatencyQueries,
    {} as TrafficQueries,
  );
  const report = (token: string | null, user: string | null = null) =>
    controller.sumUsage({ viewer: { token, user }, from: 0, to: 1, groupBy: [], filters: {} });
  const look = (viewer: Viewer) => controller.findSponsorship({ viewer, reservationId: 64 });
  return { requests, ends, report, look };
}

describe('queries to history', () => {
  it('of one token leave readers to others, however many reports it asks for', async () => {
    const { requests, ends, report, look } = aController();
    const reports = Array.from({ length: 32 }, () => report('greedy'));
    await settled();
    expect(requests).toEqual(['greedy', 'greedy']);
    expect(await look({ token: 'shop', user: null })).toEqual({ sponsorship: null });
    expect(await look({ token: null, user: null })).toEqual({ sponsorship: null });
    while (ends.length > 0) {
      ends.shift()!();
      await settled();
    }
    expect(requests).toHaveLength(32);
    await Promise.all(reports);
  });

  it('of one user leave a reader to the other users of its token', async () => {
    const { requests, report } = aController();
    for (let n = 0; n < 4; n++) void report('shop', 'alice');
    void report('shop', 'bob');
    void report('game');
    void report(null);
    await settled();
    expect(requests).toEqual(['alice', 'bob', 'game', null]);
  });

  it('are refused where too many of one token wait', async () => {
    const { report, look } = aController();
    const reports = Array.from({ length: 300 }, () =>
      report('greedy').catch((error: unknown) => error),
    );
    await expect(reports.at(-1)).resolves.toMatchObject({ code: 'OVERLOADED' });
    expect(await look({ token: 'shop', user: null })).toEqual({ sponsorship: null });
  });
});
