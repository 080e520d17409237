import type { BalanceChange } from '@forecourt/ledger';
import { describe, expect, it } from '@jest/globals';
import {
  ALICE,
  allowed,
  BOB,
  call,
  decide,
  file,
  full,
  PACKAGE,
  read,
  subject,
} from '../access-rules.test-support.js';
import { AccessUndecided } from '../access-undecided.js';

const IOTA = `${full('2')}::iota::IOTA`;
const USD = `${PACKAGE}::usd::USD`;

const changing = (...changes: readonly (readonly [string | null, string, bigint])[]) =>
  subject(
    { moveCalls: [call(PACKAGE, 'shop', 'buy')] },
    {
      readBalanceChanges: () =>
        Promise.resolve(
          changes.map(([owner, coinType, amount]): BalanceChange => ({ owner, coinType, amount })),
        ),
    },
  );
const allowing = (entries: string) =>
  file('deny-all', `    - balance-changes: ${entries}\n      action: allow`);
const denying = (entries: string) =>
  file('allow-all', `    - balance-changes: ${entries}\n      action: deny`);

describe('a condition on balance changes', () => {
  it('needs the sponsor to receive an amount of a coin', async () => {
    const rule = allowing(`[{ owner: sponsor, coin-type: '${USD}', receives: '>=1000' }]`);
    const subjects = [
      changing([BOB, USD, 1_000n], [ALICE, USD, -1_000n]),
      changing([BOB, USD, 999n]),
      changing([ALICE, USD, 1_000n]),
      changing([BOB, IOTA, 1_000n]),
      changing(),
    ];
    expect(await allowed(rule, ...subjects)).toEqual([true, false, false, false, false]);
  });

  it('needs the sender to spend at most an amount, all changes added', async () => {
    const rule = allowing(
      "[{ owner: sender, coin-type: '0x2::iota::IOTA', spends: '<=0.5 IOTA' }]",
    );
    const subjects = [
      changing([ALICE, IOTA, -500_000_000n]),
      changing([ALICE, IOTA, -500_000_001n]),
      changing([ALICE, IOTA, -400_000_000n], [ALICE, IOTA, -400_000_000n]),
      changing([ALICE, IOTA, 7n]),
    ];
    expect(await allowed(rule, ...subjects)).toEqual([true, false, false, true]);
  });

  it('needs the named owners to be the only ones whose balances change', async () => {
    const rule = allowing("[{ only: [sender, sponsor, '0xc0ffee'] }]");
    const subjects = [
      changing([ALICE, IOTA, -5n], [BOB, IOTA, 3n], [full('c0ffee'), USD, 2n]),
      changing([ALICE, IOTA, -5n], [full('d'), IOTA, 5n]),
      changing([null, IOTA, 5n]),
      changing(),
    ];
    expect(await allowed(rule, ...subjects)).toEqual([true, false, false, true]);
  });

  it('needs every entry to allow, and one to deny', async () => {
    const both = `[{ owner: sponsor, coin-type: '${USD}', receives: '>=10' }, { only: [sender, sponsor] }]`;
    const subjects = [
      changing([BOB, USD, 10n]),
      changing([BOB, USD, 9n]),
      changing([BOB, USD, 9n], [full('d'), USD, 1n]),
    ];
    expect(await allowed(allowing(both), ...subjects)).toEqual([true, false, false]);
    expect(await allowed(denying(both), ...subjects)).toEqual([false, false, true]);
  });

  it('is undecided without a dry run that succeeds: it does not allow, and it denies', async () => {
    const unknown = subject({ moveCalls: [call(PACKAGE)] });
    expect(await allowed(allowing('[{ only: [sender] }]'), unknown)).toEqual([false]);
    expect(await allowed(denying('[{ only: [sender] }]'), unknown)).toEqual([false]);
  });

  it('leaves the transaction undecided while the ledger does not answer', async () => {
    const rules = await read(denying('[{ only: [sender] }]'));
    const down = {
      ...changing(),
      readBalanceChanges: () => Promise.reject(new AccessUndecided('the ledger: no answer')),
    };
    await expect(decide(rules, down)).rejects.toThrow('the ledger: no answer');
  });

  it('is asked after every other condition', async () => {
    const rule = file(
      'deny-all',
      `    - balance-changes: [{ only: [sender] }]\n      expression: 'tx.gasBudget < 5'\n      action: allow`,
    );
    const expensive = {
      ...changing(),
      readBalanceChanges: () => Promise.reject(new Error('asked')),
    };
    expect(await allowed(rule, expensive)).toEqual([false]);
  });

  it.each([
    ['no owner', "[{ coin-type: '0x2::iota::IOTA', spends: '<=5' }]", /has no owner/],
    ['no coin type', "[{ owner: sender, spends: '<=5' }]", /has no coin-type/],
    ['another coin type', "[{ owner: sender, coin-type: IOTA, spends: '<=5' }]", /type of a coin/],
    [
      'no amount',
      "[{ owner: sender, coin-type: '0x2::iota::IOTA' }]",
      /neither receives nor spends/,
    ],
    [
      'two amounts',
      "[{ owner: sender, coin-type: '0x2::iota::IOTA', spends: '<=5', receives: '>=5' }]",
      /both receives and spends/,
    ],
    ['another owner', '[{ only: [caller] }]', /must be an address/],
    [
      'an amount without an operator',
      "[{ owner: sender, coin-type: '0x2::iota::IOTA', spends: 5 }]",
      /one of =/,
    ],
    ['an unknown key', '[{ only: [sender], owner: sender }]', /unknown key/],
  ])('names the line of a mistake: %s', async (_, entries, message) => {
    await expect(read(allowing(entries))).rejects.toThrow(message);
  });
});
