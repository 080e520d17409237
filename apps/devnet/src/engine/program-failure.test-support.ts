import type { Transaction } from '@iota/iota-sdk/transactions';
import { COIN, TestChain, type Account } from './test-chain.test-support.js';

/** Runs and returns the failure's text, or null on success. */
export async function failure(
  chain: TestChain,
  account: Account,
  fill: (tx: Transaction) => void,
): Promise<string | null> {
  const { effects } = await chain.run(account, fill);
  return effects.status.status === 'failure' ? effects.status.error : null;
}

/** A chain and an owner of three coins on it. */
export async function start(): Promise<{ chain: TestChain; alice: Account }> {
  const chain = new TestChain();
  return { chain, alice: await chain.account(COIN, 1000n, 500n) };
}
