import { Inject, Injectable } from '@nestjs/common';
import { type DecodedTransaction, largestSponsorCost, type Ledger } from '@forecourt/ledger';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import type { AccessPreview } from '../access/access-preview.js';
import { AccessPolicy } from '../access/access-policy.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';

/** What the access rules are asked about, as it would be executed. */
export interface PreviewedExecution {
  readonly transaction: DecodedTransaction;
  readonly sponsor: string;
  readonly durationSecs: number;
  /** If the whole budget is used, what is left of the coins may be dust. */
  readonly mayLeaveDust: boolean;
  /** 0: nothing is reserved yet. */
  readonly reservationId: number;
  /** A header of the request by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

/** Finds out what the access rules would decide about a transaction that its user has not signed yet. */
@Injectable()
export class PreviewSponsorship {
  constructor(
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'status' | 'transactionJson'>,
    private readonly accessPolicy: AccessPolicy,
    private readonly coinPool: CoinPoolClient,
  ) {}

  /** Throws `LedgerUnreachable`, and what `CoinPoolClient.readUsages` throws. */
  async run(caller: Caller, execution: PreviewedExecution): Promise<AccessPreview> {
    const { transaction, sponsor, durationSecs, mayLeaveDust, reservationId, header } = execution;
    const { referenceGasPrice } = await this.ledger.status();
    const subject = {
      caller: caller.token,
      reservation: { gasBudget: Number(transaction.gasBudget), durationSecs },
      at: new Date(),
      transaction,
      reservationId,
      txBytes: Buffer.from(transaction.bytes).toString('base64'),
      userSig: '',
      header,
      referenceGasPrice,
      largestCost: largestSponsorCost(transaction, mayLeaveDust),
      transactionJson: () => this.ledger.transactionJson(transaction),
    };
    return this.accessPolicy.preview(caller, subject, async (counters) => {
      const { usages } = await this.coinPool.readUsages({ sponsor, counters });
      return usages;
    });
  }
}
