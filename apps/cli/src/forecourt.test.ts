import { describe, expect, it } from '@jest/globals';
import { answer, run } from './stand-in-station.test-support.js';

const VERSION = [200, '1.0.0-0123456789ab'] as const;
const FORBIDDEN = [403, { error: 'Token lacks the role operator' }] as const;

describe('status', () => {
  const common = { '/version': VERSION, '/v1/pauses': FORBIDDEN };
  const reserved = {
    '/v1/reserve_gas': [200, { result: { reservation_id: 64 } }],
    '/v1/release_gas': [200, { result: { released: true } }],
  } as const;

  it('reserves the smallest budget, and releases it', async () => {
    const { exitCode, stdout } = await run(
      ['status', '--json'],
      await answer({ ...common, ...reserved }),
    );
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ token: 'accepted', sponsoring: 'yes', reason: null, paused: [] }),
    ]);
  });

  it('ends with 1 where the token is refused', async () => {
    const refused = [401, { error: 'Unauthorized' }] as const;
    const { exitCode, stdout } = await run(
      ['status'],
      await answer({ ...common, '/v1/reserve_gas': refused }),
    );
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^token +refused$/m)]);
    expect(stdout).toMatch(/^sponsoring +not known: Unauthorized$/m);
  });

  it('ends with 1 where sponsoring is paused, with the reason', async () => {
    const paused = [503, { error: 'Sponsoring is paused: an incident' }] as const;
    const { exitCode, stdout } = await run(
      ['status'],
      await answer({ ...common, '/v1/reserve_gas': paused }),
    );
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(/^sponsoring +no: Sponsoring is paused: an incident$/m),
    ]);
  });

  it('shows an operator everything that is paused', async () => {
    const pause = { scope: 'token shop', reason: 'an incident', by: 'ops', since: 0 };
    const pauses = [200, { result: { paused: [pause] } }] as const;
    const { exitCode, stdout } = await run(
      ['status'],
      await answer({ ...common, ...reserved, '/v1/pauses': pauses }),
    );
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^sponsoring +yes$/m)]);
    expect(stdout).toMatch(/^token shop .* an incident$/m);
  });
});

describe('the index of events', () => {
  const index = {
    first_checkpoint: 5,
    last_checkpoint: 9,
    first_cursor: 40,
    end_cursor: 90,
    last_at: 1_760_000_000_000,
    node_checkpoint: 12,
    lag_checkpoints: 3,
    other_ledger_nodes: [],
    missing_checkpoints: 2,
    holes: [
      {
        first_checkpoint: 6,
        last_checkpoint: 7,
        reason: 'pruned',
        detail: 'gone\u001b[2J',
        attempts: 4,
        retry_secs: 30,
      },
    ],
    bytes: 3 * 2 ** 20,
    writer: 'events-1',
  };
  const indexAnswer = [200, { result: index }] as const;

  it('is shown with its holes', async () => {
    const { exitCode, stdout } = await run(
      ['events', 'status'],
      await answer({ '/v1/events_index': indexAnswer }),
    );
    expect([exitCode, stdout.split('\n')]).toEqual([
      0,
      [
        'checkpoints  5 to 9 (2025-10-09T08:53:20.000Z)',
        'cursors      40 to 90',
        'lag          3 checkpoints',
        'missing      2 checkpoints',
        'size         3.0 MiB',
        'written by   events-1',
        '',
        'first  last  reason  attempts  next attempt  detail',
        '    6     7  pruned         4  in 30 s       gone [2J',
        '',
      ],
    ]);
  });

  it('is shown with the nodes of another ledger', async () => {
    const other = { ...index, node_checkpoint: null, lag_checkpoints: null, holes: [] };
    const result = { ...other, other_ledger_nodes: ['iota node:9000'] };
    const { stdout } = await run(
      ['events', 'status'],
      await answer({ '/v1/events_index': [200, { result }] }),
    );
    expect(stdout).toContain('lag           no node of this ledger answers\n');
    expect(stdout).toContain('other ledger  served by iota node:9000\n');
  });

  it('is filled, and the command ends with 1 where no node delivers everything', async () => {
    const { exitCode, output } = await run(
      ['events', 'backfill', '--last', '6'],
      await answer({ '/v1/events_index': indexAnswer, '/v1/events_index/backfill': indexAnswer }),
    );
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/^2 checkpoints are missing\n/)]);
  });
});

describe('withdraw without --yes', () => {
  const sponsor = `0x${'a0'.repeat(32)}`;
  const args = ['withdraw', sponsor, '--to', '0x2', '--reason', 'a test'];

  it('names addresses and balance, and orders nothing', async () => {
    const sponsors = [{ sponsor_address: sponsor, balance: '1500000000' }];
    const checked = [200, { result: { sponsors } }] as const;
    const { exitCode, output } = await run(args, await answer({ '/v1/check_withdrawal': checked }));
    expect([exitCode, output]).toEqual([
      1,
      `All funds of ${sponsor} (1.5 IOTA)\nwould be sent to 0x2.\nCompare both addresses, then repeat the command with --yes.\n`,
    ]);
  });

  it('names the amount that would be sent', async () => {
    const sponsors = [{ sponsor_address: sponsor, balance: '1500000000' }];
    const checked = [200, { result: { sponsors } }] as const;
    const part = [...args, '--amount', '0.5 IOTA'];
    const { exitCode, output } = await run(part, await answer({ '/v1/check_withdrawal': checked }));
    expect([exitCode, output]).toEqual([
      1,
      `0.5 IOTA of ${sponsor} (1.5 IOTA)\nwould be sent to 0x2.\nCompare both addresses, then repeat the command with --yes.\n`,
    ]);
  });

  it.each(['0.5', 'all', '-1', '9223372036854775808'])('refuses the amount %s', async (amount) => {
    const { exitCode, output } = await run([...args, `--amount=${amount}`], await answer({}));
    expect([exitCode, output]).toEqual([2, expect.stringMatching(/^--amount must|^--amount has/)]);
  });

  it('announces nothing that would be refused', async () => {
    const error = 'Funds cannot be withdrawn now: the sponsor is not drained';
    const refused = [400, { error }] as const;
    const { exitCode, output } = await run(args, await answer({ '/v1/check_withdrawal': refused }));
    expect([exitCode, output]).toEqual([2, `${error}\n`]);
  });
});
