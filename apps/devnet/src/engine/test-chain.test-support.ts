import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Signer } from '@iota/iota-sdk/cryptography';
import { Transaction } from '@iota/iota-sdk/transactions';
import { Engine } from './engine.js';
import type { EngineOptions, ExecutedTransaction, ObjectRecord } from './engine-interface.js';

export const COIN = 10_000_000_000n;
export const IOTA_TYPE = '0x2::iota::IOTA';

/** A chain for tests: a clock that is set by hand, and accounts with coins. */
export class TestChain {
  time = 1_700_000_000_000;
  readonly engine: Engine;

  constructor(options: EngineOptions = {}) {
    this.engine = new Engine({ seed: 'test', now: () => this.time, ...options });
  }

  async account(...amounts: bigint[]): Promise<Account> {
    const keypair = new Ed25519Keypair();
    const { coins } = await this.engine.mint(keypair.toIotaAddress(), amounts);
    return { keypair, address: keypair.toIotaAddress(), coins };
  }

  /** The current version of the object. */
  object(id: string): ObjectRecord {
    const lookup = this.engine.getObject(id);
    if (lookup.kind !== 'found') throw new Error(`${id} is ${lookup.kind}`);
    return lookup.object;
  }

  /** The current version of an owned object as an input. */
  input(transaction: Transaction, { objectId }: { readonly objectId: string }) {
    return transaction.objectRef(this.object(objectId).reference);
  }

  balance(owner: string): bigint {
    return this.engine.getBalance(owner, IOTA_TYPE).totalBalance;
  }

  /** Bytes of a transaction that pays with `gas` and has the commands that `fill` adds. */
  build(fill: (transaction: Transaction) => void, options: BuildOptions): Promise<Uint8Array> {
    const transaction = new Transaction();
    transaction.setSender(options.sender);
    if (options.gasOwner) transaction.setGasOwner(options.gasOwner);
    transaction.setGasPrice(options.price ?? 1000);
    transaction.setGasBudget(options.budget ?? 50_000_000);
    transaction.setGasPayment(options.gas.map((coin) => this.object(coin.objectId).reference));
    fill(transaction);
    return transaction.build();
  }

  /** Builds, signs and submits for one account, paying with its first coin unless `gas` is given. */
  async run(
    account: Account,
    fill: (transaction: Transaction) => void,
    options: Partial<BuildOptions> = {},
  ): Promise<ExecutedTransaction> {
    const gas = options.gas ?? account.coins.slice(0, 1);
    const bytes = await this.build(fill, { sender: account.address, ...options, gas });
    return this.engine.submit(bytes, [await sign(account.keypair, bytes)]);
  }
}

export interface Account {
  readonly keypair: Ed25519Keypair;
  readonly address: string;
  readonly coins: readonly ObjectRecord[];
}

export interface BuildOptions {
  readonly sender: string;
  readonly gasOwner?: string;
  readonly gas: readonly { readonly objectId: string }[];
  readonly price?: number | bigint;
  readonly budget?: number | bigint;
}

export async function sign(signer: Signer, bytes: Uint8Array): Promise<string> {
  return (await signer.signTransaction(bytes)).signature;
}

/** The text of a refusal. */
export async function refusalOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was not refused');
}

export function net({ effects: { gasUsed } }: ExecutedTransaction): bigint {
  return gasUsed.computationCost + gasUsed.storageCost - gasUsed.storageRebate;
}
