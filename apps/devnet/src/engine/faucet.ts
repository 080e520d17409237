import { Transaction } from '@iota/iota-sdk/transactions';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { ExecutedTransaction, ObjectRecord } from './engine-interface.js';
import { EngineError } from './engine-error.js';
import { MAX_GAS_BUDGET } from './gas-schedule.js';
import type { LedgerState } from './ledger-state.js';
import type { Submissions } from './submissions.js';
import { IOTA } from './type-tag.js';

/** The account that grants coins, with ordinary transactions. */
export class Faucet {
  readonly #address: string;
  /** One grant at a time: each spends the change of the previous one. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ledger: LedgerState,
    private readonly submissions: Submissions,
    private readonly keypair: Ed25519Keypair,
  ) {
    this.#address = keypair.toIotaAddress();
  }

  mint(
    recipient: string,
    amounts: readonly bigint[],
  ): Promise<{ transaction: ExecutedTransaction; coins: readonly ObjectRecord[] }> {
    const minted = this.#last.then(() => this.grant(recipient, amounts));
    this.#last = minted.catch(() => undefined);
    return minted;
  }

  private async grant(recipient: string, amounts: readonly bigint[]) {
    const needed = amounts.reduce((sum, amount) => sum + amount, MAX_GAS_BUDGET);
    const transaction = new Transaction();
    transaction.setSender(this.#address);
    transaction.setGasPrice(this.ledger.referenceGasPrice);
    transaction.setGasBudget(MAX_GAS_BUDGET);
    transaction.setGasPayment(this.choosePayment(needed));
    const made = transaction.splitCoins(
      transaction.gas,
      amounts.map((amount) => transaction.pure.u64(amount)),
    );
    const coins = amounts.map((_, index) => made[index]!);
    transaction.transferObjects(coins, transaction.pure.address(recipient));
    const bytes = await transaction.build();
    const { signature } = await this.keypair.signTransaction(bytes);
    const acceptance = await this.submissions.accept(bytes, [signature]);
    const executed =
      acceptance.kind === 'executed'
        ? acceptance.transaction
        : this.submissions.execute(acceptance.accepted);
    const { status } = executed.effects;
    if (status.status === 'failure') throw new EngineError(-32603, `Faucet: ${status.error}`);
    return { transaction: executed, coins: this.inOrder(executed, amounts) };
  }

  /** The largest coins that cover `needed` together. Throws `EngineError` when all coins do not. */
  private choosePayment(needed: bigint) {
    const { data } = this.ledger.store.owners.listCoins(this.#address, IOTA, { limit: 255 });
    const payment = [];
    let sum = 0n;
    for (const coin of [...data].sort((a, b) => (a.coin!.balance > b.coin!.balance ? -1 : 1))) {
      payment.push(coin.reference);
      sum += coin.coin!.balance;
      if (sum >= needed) return payment;
    }
    throw new EngineError(-32603, `Faucet balance ${sum} is less than the required ${needed}`);
  }

  /** The created coins in the order of `amounts`; effects list them by id. */
  private inOrder(executed: ExecutedTransaction, amounts: readonly bigint[]): ObjectRecord[] {
    const created = executed.effects.created.map(({ reference }) =>
      this.ledger.store.latest(reference.objectId)!,
    );
    return amounts.map((amount) => {
      const index = created.findIndex(({ coin }) => coin!.balance === amount);
      return created.splice(index, 1)[0]!;
    });
  }
}
