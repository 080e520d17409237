import { describe, expect, it } from '@jest/globals';
import { ALERTS, type OutageReport } from './measure-outage.js';
import { findOutageViolations, reportOutage } from './report-outage.js';

const total = { transactions: 30, gas: '900' };
const aReport = (over: Partial<OutageReport> = {}): OutageReport => ({
  phases: [
    { name: 'before', times: [40, 50, 60] },
    { name: 'away', times: [41, 51, 400] },
  ],
  failures: [],
  kept: 20,
  memory: { before: 2 ** 20, atReturn: 2 ** 22 },
  alerts: new Map(ALERTS.map((alert) => [alert, 420])),
  awaySecs: 3_600,
  catchUpSecs: 10,
  dropped: 0,
  expected: total,
  recorded: total,
  ...over,
});

describe('the report of an outage of PostgreSQL', () => {
  it('allows what changes nothing for callers', () => {
    expect(findOutageViolations(aReport())).toEqual([]);
  });

  it.each([
    [{ failures: ['execute answered 503'] }, 'sponsoring failed: execute answered 503'],
    [{ alerts: new Map([[ALERTS[0], 1]]) }, `${ALERTS[1]} did not fire`],
    [{ dropped: 2 }, '2 entries were dropped'],
    [{ recorded: { transactions: 31, gas: '900' } }, /has .*31.* instead of .*30/],
    [{ recorded: { transactions: 30, gas: '901' } }, /has .*901.* instead of .*900/],
    [
      {
        phases: [
          { name: 'before', times: [40] },
          { name: 'away', times: [60] },
        ],
      },
      'sponsoring took 60 ms instead of 40 ms',
    ],
    [{ phases: [{ name: 'away', times: [60] }] }, /instead of 0 ms/],
  ])('names a violation: %j', (over: Partial<OutageReport>, violation) => {
    const expected: unknown =
      typeof violation === 'string' ? violation : expect.stringMatching(violation);
    expect(findOutageViolations(aReport(over))).toEqual([expected]);
  });

  it('expects no alert from a short outage', () => {
    expect(findOutageViolations(aReport({ awaySecs: 60, alerts: new Map() }))).toEqual([]);
  });

  it('shows times, entries and alerts', () => {
    const text = reportOutage(aReport(), 'npm run x');
    expect(text).toContain('| away | 3 | 51 ms | 400 ms | 400 ms |');
    expect(text).toContain(`| ${ALERTS[0]} | 420 s | 16 % |`);
    expect(text).toContain('20 entries waited in Redis, whose memory grew from 1 MiB to 4 MiB');
  });
});
