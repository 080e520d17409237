import { expect } from '@jest/globals';
import { bcs } from '@iota/iota-sdk/bcs';
import type { Transaction } from '@iota/iota-sdk/transactions';
import type { TransactionData } from './engine-interface.js';
import { type Account, refusalOf, sign, type TestChain } from './test-chain.test-support.js';

const INTRODUCTION =
  'Transaction execution failed due to issues with transaction inputs, please review the errors and try again: ';

/**
 * Faults that dry runs accept: they read the old versions of used inputs, and check neither epoch nor whole
 * size.
 */
const ONLY_REFUSED =
  /is not available for consumption|Transaction Expired|serialized transaction size/;

/**
 * Submits a plain transaction changed by `change`; a dry run must refuse it with the same text, or accept it.
 */
export async function refusal(
  chain: TestChain,
  account: Account,
  change: (data: TransactionData) => void,
  fill: (tx: Transaction) => void = () => undefined,
): Promise<string> {
  const bytes = await chain.build(fill, { sender: account.address, gas: [account.coins[0]!] });
  const data = bcs.TransactionData.parse(bytes).V1;
  change(data);
  const changed = bcs.TransactionData.serialize({ V1: data }, { maxSize: 1 << 20 }).toBytes();
  const signature = await sign(account.keypair, changed);
  const message = await refusalOf(chain.engine.submit(changed, [signature]));
  expect(message.startsWith(INTRODUCTION)).toBe(true);
  const isPaid = data.gasData.payment.length > 0;
  if (ONLY_REFUSED.test(message))
    expect(chain.engine.dryRun(changed).effects.status.status).toBe('success');
  else if (isPaid) expect(() => chain.engine.dryRun(changed)).toThrow(message);
  await expect(chain.engine.submit(changed, [signature])).rejects.toMatchObject({ code: -32002 });
  expect(message.endsWith('.')).toBe(true);
  return message.slice(INTRODUCTION.length, -1);
}
