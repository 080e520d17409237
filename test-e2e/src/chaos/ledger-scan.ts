import type { IotaClient, IotaTransactionBlockResponse } from '@iota/iota-sdk/client';
import { netGas } from '../support/net-gas.js';
import type { Landed } from './find-violations.js';
import { type OwnTransaction, namePayment } from './scan-ledger.js';

/** Reads the new part of the ledger's history, and keeps the sponsor's transactions. */
export class LedgerScan {
  readonly landed = new Map<string, Landed>();
  readonly own: OwnTransaction[] = [];
  /** Net gas of every transaction that `sponsor` paid for. */
  gasCharged = 0n;
  #cursor: string | null = null;

  constructor(
    private readonly ledger: IotaClient,
    private readonly sponsor: string,
  ) {}

  async readOn(): Promise<void> {
    for (;;) {
      const page = await this.ledger.queryTransactionBlocks({
        cursor: this.#cursor,
        order: 'ascending',
        options: { showEffects: true, showInput: true },
      });
      for (const transaction of page.data) this.add(transaction);
      this.#cursor = page.nextCursor ?? this.#cursor;
      if (!page.hasNextPage) return;
    }
  }

  private add({ digest, effects, transaction }: IotaTransactionBlockResponse): void {
    if (transaction?.data.gasData.owner !== this.sponsor || !effects) return;
    const gas = netGas(effects);
    this.gasCharged += gas;
    const { sender, gasData } = transaction.data;
    if (sender === this.sponsor)
      this.own.push({ payment: namePayment(gasData.payment ?? []), gas });
    const times = (this.landed.get(digest)?.times ?? 0) + 1;
    this.landed.set(digest, { digest, times, effects: { ...effects } });
  }
}
