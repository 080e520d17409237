import { describe, expect, it } from '@jest/globals';
import type { Sponsorship } from '@forecourt/contracts';
import { formatRefusals, formatSponsorship, formatSponsorships } from './history.js';
import { formatUsage } from './usage.js';

const DIGEST = '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC';

describe('history for people', () => {
  const sponsorship: Sponsorship = {
    reservation_id: 64,
    status: 'executed',
    outcome: 'failure',
    token: 'shop',
    user: null,
    sponsor_address: '0x5',
    sender: '0x7',
    digest: DIGEST,
    gas_budget: '10000000',
    reserved_balance: '1',
    gas_coins: [],
    gas: { computation: '5', storage: '2', rebate: '8', net: '-1', counted: '0' },
    commands: ['MoveCall 0x2::m::f'],
    rule: null,
    refusals: [
      { at: 1, status: 400, code: 'REFUSED_BY_LEDGER', message: 'a\u001b[2J', digest: null },
    ],
    failure: 'MoveAbort',
    attempts: 2,
    executor: null,
    request_ids: [],
    trace_id: null,
    timeline: [{ at: 0, event: 'reserved' }],
    created_at: 0,
    ended_at: 2,
    rebuilt: null,
  };

  it('shows a sponsorship with what is known, and its times', () => {
    const text = formatSponsorship(sponsorship);
    for (const line of [
      'state        executed: failure',
      'failure      MoveAbort',
      'gas budget   0.01 IOTA',
      'gas          -0.000000001 IOTA, counted 0 IOTA',
      'submissions  2',
      'command      MoveCall 0x2::m::f',
      'refused      1970-01-01T00:00:00.001Z REFUSED_BY_LEDGER: a [2J',
      'reserved     1970-01-01T00:00:00.000Z',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).not.toMatch(/user|executor/);
  });

  it('lists sponsorships and refusals', () => {
    const listed = formatSponsorships([sponsorship, { ...sponsorship, outcome: null, gas: null }]);
    expect(listed.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['created', 'reservation', 'state', 'token', 'transaction', 'gas'],
      [new Date(0).toISOString(), '64', 'failure', 'shop', DIGEST, '-0.000000001 IOTA'],
      [new Date(0).toISOString(), '64', 'executed', 'shop', DIGEST],
    ]);
    const refusal = {
      at: 0,
      route: 'POST /v1/execute_tx',
      token: 'shop',
      user: null,
      sender: null,
      status: 403,
      code: 'FORBIDDEN',
      message: 'no',
      rule: null,
      digest: null,
      reservation_id: null,
      request_id: null,
    };
    expect(formatRefusals([refusal])).toContain('shop   FORBIDDEN  no');
  });

  it('shows usage with the total', () => {
    const figures = { transactions: 2, failed: 1, refused: 0, gas: '1500000000' };
    const rows = [{ day: '2026-11-25', ...figures }];
    const usage = { from: 0, to: 1, rows, total: figures, corrections: [] };
    expect(formatUsage({ ...usage, group_by: ['day'] }).split('\n')).toEqual([
      'day         transactions  failed  refused       gas',
      '2026-11-25             2       1        0  1.5 IOTA',
      'total                  2       1        0  1.5 IOTA',
    ]);
    expect(formatUsage({ ...usage, group_by: [], rows: [figures] }).split('\n')).toHaveLength(2);
  });

  it('shows what was corrected below the usage, and which record was', () => {
    const cause = 'redis_lost_writes';
    const corrections = [
      { cause, transactions: 55, gas: '1500000000', unexplained: '2000000000' },
    ] as const;
    const figures = { transactions: 2, failed: 1, refused: 0, gas: '1' };
    const usage = { from: 0, to: 1, group_by: [], rows: [figures], total: figures, corrections };
    expect(formatUsage(usage).split('\n').slice(2)).toEqual([
      'Of these, 55 transactions with gas of 1.5 IOTA were recorded from the ledger (redis_lost_writes).',
      'Besides, 2 IOTA went where the ledger no longer shows it (redis_lost_writes).',
    ]);
    expect(formatSponsorship({ ...sponsorship, rebuilt: cause })).toMatch(
      /^recorded from the ledger +redis_lost_writes$/m,
    );
  });
});
