import { beforeEach, describe, expect, it } from '@jest/globals';
import { MoveSigner } from '@iota/iota-sdk/keypairs/move-authenticator';
import { type Account, COIN, refusalOf, sign, TestChain } from './test-chain.test-support.js';
import type { ExecutedTransaction } from './engine-interface.js';

const PASSWORD = 4_711n;
/** A step of computation at the reference gas price. */
const STEP = 1_000_000n;

let chain: TestChain;
let sponsor: Account;
let account: string;
beforeEach(async () => {
  chain = new TestChain();
  sponsor = await chain.account(COIN);
  const { effects } = await chain.run(sponsor, (tx) => {
    const target = `${chain.engine.demo.packageId}::account::create`;
    tx.moveCall({ target, arguments: [tx.pure.u64(PASSWORD)] });
  });
  account = effects.created[0]!.reference.objectId;
});

/** Runs a sponsored transaction of the account, authorised with this password. */
async function run(password: bigint, budget: bigint): Promise<ExecutedTransaction> {
  const options = { sender: account, gasOwner: sponsor.address, gas: sponsor.coins, budget };
  const bytes = await chain.build((tx) => {
    const target = `${chain.engine.demo.packageId}::garage::burn`;
    tx.moveCall({ target, arguments: [tx.pure.u64(1)] });
  }, options);
  const content = Buffer.alloc(8);
  content.writeBigUInt64LE(password);
  const authenticator = new MoveSigner({
    version: 'V1',
    callArgs: [{ Pure: { bytes: content.toString('base64') } }],
    typeArgs: [],
    objectToAuthenticate: { ImmOrOwnedObject: chain.object(account).reference },
  });
  const signatures = [await authenticator.getSignature(), await sign(sponsor.keypair, bytes)];
  return chain.engine.submit(bytes, signatures);
}

describe('the authenticator of an abstract account', () => {
  it('is paid for by the transaction that it authorises', async () => {
    const { effects } = await run(PASSWORD, 10n * STEP);
    expect(effects.status).toEqual({ status: 'success' });
    expect(effects.gasUsed.computationCost).toBe(2n * STEP);
  });

  it('leaves the program without gas where the budget pays for no more', async () => {
    const { effects } = await run(PASSWORD, STEP);
    expect(effects.status).toEqual({ status: 'failure', error: 'InsufficientGas in command 0' });
    expect(effects.gasUsed.computationCost).toBe(STEP);
  });

  it('costs nothing if it refuses', async () => {
    const before = chain.balance(sponsor.address);
    expect(await refusalOf(run(PASSWORD + 1n, 10n * STEP))).toContain('wrong password');
    expect(chain.balance(sponsor.address)).toBe(before);
  });
});
