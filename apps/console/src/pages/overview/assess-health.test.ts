import { describe, expect, it } from '@jest/globals';
import { assessHealth } from './assess-health.js';

type Assessed = Parameters<typeof assessHealth>[0];
type Sponsor = NonNullable<Assessed['sponsors']>[number];

const sponsor = (over: Partial<Sponsor> = {}): Sponsor => ({
  sponsor_address: '0x5',
  signer: null,
  balance: '100',
  coins: { available: { coins: 10, balance: '100' } },
  sizes: null,
  spending: { hour: null, day: null },
  days_left: null,
  leader: 'coin-pool-1',
  suspended_secs: null,
  drain: null,
  reservations: {},
  ...over,
});
const fleet = (over: Partial<Assessed> = {}): Assessed => ({
  sponsors: [sponsor()],
  epoch: 7,
  queue: { waiting: 0, active: 0, delayed: 0, failed: 0 },
  pauses: [],
  problems: [],
  ...over,
});
const paused = (scope: string) => [{ scope, reason: 'night', by: 'ops' }];
const bound = { available: { coins: 0, balance: '0' }, quarantined: { coins: 60, balance: '9' } };
const drain = { reason: 'rotation', by: 'ops', since: 0 };

describe('the health of a fleet', () => {
  it.each<[string, Assessed, ReturnType<typeof paused>, string, string]>([
    ['nothing is wrong', fleet(), [], 'healthy', 'Sponsoring works'],
    ['everything is paused', fleet(), paused('everything'), 'stopped', 'Sponsoring is paused'],
    ['a token is paused', fleet(), paused('token shop'), 'attention', 'Something is paused'],
    [
      'the ledger is away',
      fleet({ epoch: null, problems: ['The epoch is missing: x'] }),
      [],
      'unknown',
      'The ledger does not answer',
    ],
    [
      'the coin-pool is away',
      fleet({ sponsors: null, problems: ['Sponsors are missing: x'] }),
      [],
      'unknown',
      'The state of the pool is unknown',
    ],
    [
      'all coins are quarantined',
      fleet({ sponsors: [sponsor({ coins: bound })] }),
      [],
      'stopped',
      'A pool has no coins to give',
    ],
    [
      'a pool is suspended',
      fleet({ sponsors: [sponsor({ suspended_secs: 9, coins: bound })] }),
      [],
      'stopped',
      'A pool is suspended',
    ],
    [
      'the only sponsor is drained',
      fleet({ sponsors: [sponsor({ drain })] }),
      [],
      'stopped',
      'Every sponsor is drained',
    ],
    [
      'gas is left for two days',
      fleet({ sponsors: [sponsor({ days_left: 2 })] }),
      [],
      'attention',
      'The gas runs out soon',
    ],
    [
      'jobs have failed',
      fleet({ queue: { waiting: 0, active: 0, delayed: 0, failed: 3 } }),
      [],
      'attention',
      'Jobs have failed',
    ],
  ])('is named when %s', (_case, given, pauses, level, title) => {
    expect(assessHealth({ ...given, pauses })).toMatchObject({ level, title });
  });

  it('never calls a sponsor drained because its provider is away', () => {
    const outage = fleet({
      epoch: null,
      sponsors: null,
      pauses: null,
      problems: ['Sponsors are missing: timeout'],
    });
    const { level, cause } = assessHealth(outage);
    expect(level).toBe('unknown');
    expect(cause).toContain('says nothing about the sponsors’ coins');
  });

  it('names the states that bind the coins of an exhausted pool', () => {
    const { cause } = assessHealth(fleet({ sponsors: [sponsor({ coins: bound })] }));
    expect(cause).toBe('All coins of 0x5 are bound: 60 quarantined.');
  });
});
