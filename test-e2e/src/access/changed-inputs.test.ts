import { randomBytes } from 'node:crypto';
import type { Transaction, TransactionArgument } from '@iota/iota-sdk/transactions';
import { describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { setRules, system } from '../support/systems/rules-system.js';

const ALLOWED = 100n;
const TOKEN = '0xdec0::token::TOKEN';
const mint = (tx: Transaction, amount: TransactionArgument, to: string) =>
  tx.moveCall({ target: '0xdec0::token::mint', arguments: [amount, tx.pure.address(to)] });
const raise = (tx: Transaction, price: TransactionArgument) =>
  tx.moveCall({ target: '0xdec0::garage::raise', arguments: [price, tx.pure.u64(10n ** 12n)] });

/** Whether the transaction is sponsored, and what its recipient has by it. */
async function outcomeOf(build: (tx: Transaction, to: string) => void) {
  const to = `0x${randomBytes(32).toString('hex')}`;
  const { answer } = await sponsor(system.application, { build: (tx) => build(tx, to) });
  await system.control.untilShown();
  const { totalBalance } = await system.ledger.getBalance({ owner: to, coinType: TOKEN });
  const { data } = await system.ledger.getOwnedObjects({
    owner: to,
    options: { showContent: true },
  });
  const models = data.flatMap(({ data: object }) => {
    const { fields } = object!.content as unknown as { fields: { model?: string } };
    return fields.model ?? [];
  });
  return { status: answer.status, received: BigInt(totalBalance), models };
}

const changed = (tx: Transaction, to: string) => {
  const amount = tx.pure.u64(ALLOWED);
  raise(tx, amount);
  mint(tx, amount, to);
};
const unchanged = (tx: Transaction, to: string) => {
  const amount = tx.pure.u64(ALLOWED);
  mint(tx, amount, to);
  raise(tx, amount);
};
const renamed = (tx: Transaction, to: string) => {
  const model = tx.pure.string('Mini');
  tx.moveCall({ target: '0x1::string::append', arguments: [model, tx.pure.string('bus')] });
  tx.moveCall({
    target: '0xdec0::garage::build_car',
    arguments: [model, tx.pure.address(to)],
  });
};

const functions =
  "move-call-function: ['0xdec0::token::mint', '0xdec0::garage::*', '0x1::string::append']";
const LITTLE = `argument: { function: '0xdec0::token::mint', index: 0, value: '<=1000' }`;
const MINI = `argument: { function: '0xdec0::garage::build_car', index: 0, value: Mini }`;
const TESTED = `expression: 'tx.calls.all(c, c.name != "mint" || c.args[0].value <= 1000)'`;
const rule = (policy: string, action: string, ...conditions: string[]) =>
  `  access-policy: ${policy}\n  rules:\n    - ${[...conditions, `action: ${action}`].join('\n      ')}`;

describe('an input that an earlier command of the transaction changes', () => {
  it('is executed with its new value', async () => {
    await setRules('  access-policy: allow-all');
    const outcomes = [];
    for (const build of [changed, unchanged, renamed]) outcomes.push(await outcomeOf(build));
    expect(outcomes).toEqual([
      { status: 200, received: ALLOWED + 10n ** 12n, models: [] },
      { status: 200, received: ALLOWED, models: [] },
      { status: 200, received: 0n, models: ['Minibus'] },
    ]);
  });

  it.each([
    ['argument', rule('deny-all', 'allow', functions, LITTLE), changed, unchanged],
    [
      'argument that denies',
      rule('allow-all', 'deny', LITTLE.replace('<=', '>')),
      changed,
      unchanged,
    ],
    ['expression', rule('deny-all', 'allow', functions, TESTED), changed, unchanged],
    ['argument of text', rule('deny-all', 'allow', functions, MINI), renamed, null],
  ])('is not judged by its stated value: %s', async (_, rules, evil, harmless) => {
    await setRules(rules);
    expect(await outcomeOf(evil)).toEqual({ status: 403, received: 0n, models: [] });
    if (harmless)
      expect(await outcomeOf(harmless)).toMatchObject({ status: 200, received: ALLOWED });
  });
});
