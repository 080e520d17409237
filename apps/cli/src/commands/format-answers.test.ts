import { describe, expect, it } from '@jest/globals';
import type { ExplainResponse, FleetResponse, Sponsorship } from '@forecourt/contracts';
import { formatExplanation } from './explain.js';
import { formatRefusals, formatSponsorship, formatSponsorships } from './history.js';
import { formatFleet } from './inspect.js';
import { formatUsage } from './usage.js';

const DIGEST = '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC';
const fleet: FleetResponse['result'] = {
  sponsors: [
    {
      sponsor_address: '0x5',
      balance: '18446744073709551620',
      coins: {
        available: { coins: 12, balance: '1200' },
        executing: { coins: 1, balance: '100' },
      },
      sizes: [],
      spending: { hour: { spent: '77', since: 1_760_000_000_000 }, day: null },
      days_left: 3.5,
      leader: null,
      suspended_secs: 9,
      drain: { reason: 'key\u001b[2Jrotation', by: 'ops', since: 1_760_000_000_000 },
      signer: { kinds: ['vault', 'local'], signs: false },
      reservations: { reserved: 4, claimed: 0, executing: 1, quarantined: 2 },
    },
  ],
  transactions: [
    {
      sponsor_address: '0x5',
      state: 'quarantined',
      digest: DIGEST,
      reservation_id: 64,
      caller: 'shop',
      reserved_at: 0,
      begun_at: 0,
      age_secs: 7_300,
      executor: 'executor-1',
      coins: 1,
      quarantine: { reason: 'locked\u001b[2J', ends_after_epoch: 71, moved_on_by: null },
    },
  ],
  epoch: 70,
  epoch_ends_at: null,
  queue: { waiting: 1, active: 2, delayed: 3 },
  replicas: [
    {
      service: 'gateway',
      id: 'gw-1',
      version: '1.0.0-a',
      started_at: 0,
      seen_at: 0,
      access_version: null,
    },
  ],
  problems: [{ part: 'events', message: '127.0.0.1:1 is missing: gone' }],
};
const explanation: ExplainResponse['result'] = {
  verdict: 'refused',
  meaning: 'It was refused: \u001b[31mlocked.',
  advice: 'Sign again.',
  digest: DIGEST,
  reservation: null,
  job: null,
  ledger: 'unreachable',
  decisions: [{ outcome: 'deny', rule: 'no-mints' }],
};

describe('the fleet for people', () => {
  it('has sponsors, work in flight with age and reason, queue, replicas and what is missing', () => {
    const text = formatFleet(fleet);
    for (const shown of [
      'Sponsor 0x5',
      'balance                 18446744073.70955162 IOTA',
      'spent in the last hour  0.000000077 IOTA (since 2025-10-09T08:53:20.000Z)',
      'spent in the last day   not recorded yet',
      'days left               3.5',
      'leader                  none',
      'key                     vault, local (does not sign)',
      'drain                   key [2Jrotation (by ops, since 2025-10-09T08:53:20.000Z)',
      'for 9 s',
      'In flight: 3; those not taken up for longest:',
      `quarantined  2 h  ${DIGEST}`,
      'until epoch 71 is over, now 70: locked [2J',
      'Queue: 1 waiting, 2 active, 3 delayed',
      'gateway  1.0.0-a',
      '! events: 127.0.0.1:1 is missing',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).toMatch(/executing +1 +0\.0000001 IOTA +1$/m);
  });

  it('is short where there is nothing to show', () => {
    const nothing = {
      sponsors: [],
      transactions: [],
      epoch: null,
      epoch_ends_at: null,
      queue: null,
    };
    expect(formatFleet({ ...nothing, replicas: [], problems: [] })).toBe('In flight: 0');
  });
});

const RESERVATION = {
  reservation_id: 7,
  state: 'executing',
  caller: 'shop',
  sponsor_address: '0x5',
  gas_budget: 20_000_000,
  reserved_at: 0,
  expires_at: 1,
} as unknown as NonNullable<Parameters<typeof formatExplanation>[0]['reservation']>;

describe('an explanation for people', () => {
  it('begins with what it means and what to do, and shows nothing a terminal acts on', () => {
    const text = formatExplanation(explanation);
    expect(text.split('\n').slice(0, 3)).toEqual([
      'It was refused:  [31mlocked.',
      'Sign again.',
      '',
    ]);
    expect(text).toMatch(/^verdict +refused$/m);
    expect(text).toMatch(/^ledger +no node answers$/m);
    const invalid = formatExplanation({ ...explanation, ledger: 'invalid' });
    expect(invalid).toMatch(/^ledger +a node’s answer cannot be used$/m);
    expect(text).toMatch(/^access decision +\{"outcome":"deny","rule":"no-mints"\}$/m);
  });

  it('names the limits in which it counts, with units and the end of their windows', () => {
    const gas = { counter: 'c1', counts: 'gas', amount: '20000000', used: '500000000' };
    const limit = 'gas <= 5 IOTA in 1 day, the budget of token shop';
    const requests = { counter: 'c2', counts: 'requests', amount: '1', used: '3' };
    const reservation = {
      usage: [
        { ...gas, limit, resets_at: 1_760_000_000_000 },
        { ...requests, limit: null, resets_at: null },
      ],
    };
    const text = formatExplanation({
      ...explanation,
      reservation: { ...RESERVATION, ...reservation },
    });
    expect(text).toContain(
      `0.02 IOTA of 0.5 IOTA used in ${limit}; resets at 2025-10-09T08:53:20.000Z`,
    );
    expect(text).toContain('1 requests of 3 requests used in a limit that no file of the gateway');
  });
});

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
