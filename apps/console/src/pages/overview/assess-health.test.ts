import { describe, expect, it } from '@jest/globals';
import { assessHealth } from './assess-health.js';

type Assessed = Parameters<typeof assessHealth>[0];
type Recent = NonNullable<Assessed['recent']>;
type Sponsor = NonNullable<Assessed['sponsors']>[number];

const NOW = 1_760_000_000_000;
const sponsor = (over: Partial<Sponsor> = {}): Sponsor => ({
  sponsor_address: '0x5',
  signer: null,
  balance: '100',
  coins: { available: { coins: 10, balance: '100' } },
  sizes: [],
  spending: { hour: null, day: null },
  days_left: null,
  leader: 'coin-pool-1',
  suspended_secs: null,
  drain: null,
  reservations: {},
  ...over,
});
const fleet = (over: Partial<Assessed> = {}): Assessed => ({
  at: NOW,
  recent: null,
  sponsors: [sponsor()],
  epoch: 7,
  epoch_ends_at: null,
  queue: { waiting: 0, active: 0, delayed: 0 },
  pauses: [],
  failing_webhooks: [],
  other_ledger_nodes: [],
  problems: [],
  ...over,
});
const recent = (over: Partial<Recent> = {}): Recent => ({
  sponsored: 0,
  failed: 0,
  refused: {},
  unserved_at: {},
  executed_at: null,
  ...over,
});
const assess = (given: Assessed, minute = recent()) => assessHealth({ ...given, recent: minute });
const paused = (scope: string) => [{ scope, reason: 'night', by: 'ops' }];
const bound = { available: { coins: 0, balance: '0' }, quarantined: { coins: 60, balance: '9' } };
const drain = { reason: 'rotation', by: 'ops', since: 0 };

describe('the health of a fleet', () => {
  it.each<[string, Assessed, ReturnType<typeof paused>, string, string]>([
    ['everything is paused', fleet(), paused('everything'), 'stopped', 'Sponsoring is paused'],
    ['a token is paused', fleet(), paused('token shop'), 'attention', 'Something is paused'],
    [
      'the ledger is away',
      fleet({ epoch: null, problems: [{ part: 'epoch', message: 'x' }] }),
      [],
      'unknown',
      'The ledger’s state is unknown',
    ],
    [
      'the coin-pool is away',
      fleet({ sponsors: null, problems: [{ part: 'sponsors', message: 'x' }] }),
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
  ])('is named when %s', (_case, given, pauses, level, title) => {
    expect(assess({ ...given, pauses })[0]).toMatchObject({ level, title });
  });

  it('names the budgets that are used up or nearly so, the fullest first', () => {
    const budget = (limit: string, used: string) => ({
      limit,
      used,
      most: '100',
      left: '0',
      window_secs: 60,
      resets_at: null,
      ends_at: null,
    });
    const limits = (...used: string[]) =>
      used.map((amount, index) => ({
        token: index === 0 ? null : `t${index}`,
        budgets: [budget('100 a day', amount)],
      }));
    const budgets = (...used: string[]) => assessHealth(fleet(), limits(...used));
    expect(budgets('79', '50')).toEqual([]);
    expect(budgets('80')).toMatchObject([
      { level: 'attention', title: 'A budget is nearly used up', page: '/access' },
    ]);
    const [finding] = budgets('85', '120', '99', '0', '90', '95');
    expect(finding).toMatchObject({
      title: 'Budgets are used up',
      cause:
        'Used: 120 % of a budget of t1, 99 % of a budget of t2, 95 % of a budget of t5, 2 more.',
    });
  });

  it.each(['The ledger took longer than 5 s', 'Ledger node a gave an answer that cannot be used'])(
    'tells why the ledger’s state is unknown: %s',
    (reason) => {
      const problems = [{ part: 'epoch', message: reason }] as const;
      const findings = assess(fleet({ epoch: null, problems }));
      const cause = `${reason}. The sponsors’ coins are not affected.`;
      expect(findings).toMatchObject([{ level: 'unknown', cause }]);
    },
  );

  it('never calls a sponsor drained because its provider is away', () => {
    const outage = fleet({
      epoch: null,
      sponsors: null,
      pauses: null,
      problems: [{ part: 'sponsors', message: 'timeout' }],
    });
    const findings = assess(outage);
    expect(findings.map(({ level }) => level)).toEqual(['unknown', 'unknown']);
    expect(findings[1]!.cause).toContain('says nothing about the sponsors’ coins');
  });

  it('names the states that bind the coins of an exhausted pool', () => {
    const [finding] = assess(fleet({ sponsors: [sponsor({ coins: bound })] }));
    expect(finding!.cause).toBe('All coins of 0x5 are bound: 60 quarantined.');
  });

  it('says when quarantined coins return at the latest', () => {
    const given = {
      sponsors: [
        sponsor({ coins: { ...sponsor().coins, ...bound, available: { coins: 1, balance: '1' } } }),
      ],
    };
    const remedy = (over: object) => assess(fleet({ ...given, ...over }))[0]!.remedy;
    expect(remedy({ epoch_ends_at: NOW + 7_200_000 })).toMatch(
      /at the latest .*\d\d:\d\d, in 2 h\.$/,
    );
    expect(remedy({})).toContain('at the latest after epoch 7.');
  });

  it('has every finding, the gravest first, each with its page', () => {
    const webhook = { url: 'https://a.example', token: 'shop', waiting: 1_217, ended_at: null };
    const given = fleet({
      sponsors: [sponsor(), sponsor({ drain }), sponsor({ coins: bound })],
      pauses: paused('token shop'),
      failing_webhooks: [webhook],
      other_ledger_nodes: ['iota other.example'],
    });
    expect(assess(given).map(({ title, page }) => [title, page])).toEqual([
      ['A pool has no coins to give', '/pool'],
      ['Something is paused', '/pool'],
      ['A sponsor is drained', '/pool'],
      ['Coins are quarantined', '/pool'],
      ['A webhook fails', '/webhooks'],
      ['The index of events holds another ledger', '/events'],
    ]);
    expect(assess(given)[4]!.cause).toMatch(/of shop does not receive; 1.217 deliveries wait/);
    expect(assess(fleet())).toEqual([]);
  });

  it('counts requests that the gas station should have served, until it serves again', () => {
    const code = 'LEDGER_UNREACHABLE';
    const minute = (last: number, executedAt: number | null) =>
      recent({
        sponsored: executedAt === null ? 0 : 3,
        refused: { [code]: 357, STORE_UNREACHABLE: 2 },
        unserved_at: { [code]: last, STORE_UNREACHABLE: last },
        executed_at: executedAt,
      });
    const titles = (one: Recent, epoch: number | null = 7) =>
      assess(fleet({ epoch }), one).map(({ level, code: named }) => [level, named]);
    expect(titles(minute(NOW - 100, null))).toEqual([
      ['stopped', code],
      ['stopped', 'STORE_UNREACHABLE'],
    ]);
    expect(assess(fleet(), minute(NOW - 100, null))[0]!.cause).toMatch(/^357 requests got/);
    expect(titles(minute(NOW - 1_000, NOW - 100))).toEqual([
      ['attention', code],
      ['attention', 'STORE_UNREACHABLE'],
    ]);
    // The ledger itself says that it is back; nothing has used the store since.
    expect(titles(minute(NOW - 4_000, null))).toEqual([['stopped', 'STORE_UNREACHABLE']]);
    expect(titles(minute(NOW - 4_000, NOW))).toEqual([]);
    expect(titles(minute(NOW - 100, NOW), null)[0]).toEqual(['unknown', undefined]);
  });

  it('names the most frequent refusal where few requests succeed', () => {
    const refused = { FORBIDDEN: 6, SPENDING_LIMIT: 14, PAUSED: 90 };
    expect(assess(fleet(), recent({ sponsored: 4, refused }))).toMatchObject([
      { title: 'Few requests succeed', code: 'SPENDING_LIMIT', page: '/refusals' },
    ]);
    expect(assess(fleet(), recent({ sponsored: 20, refused }))).toEqual([]);
  });
});
