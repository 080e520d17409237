import { describe, expect, it } from '@jest/globals';
import type { FleetResponse } from '@forecourt/contracts';
import { formatFleet } from './inspect.js';

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

describe('the fleet for people', () => {
  it('has sponsors, work in flight with age and reason, queue, replicas and what is missing', () => {
    const text = formatFleet(fleet);
    for (const part of [
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
      expect(text).toContain(part);
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
