import { writeDecisionFacts } from '@forecourt/contracts';
import type { DecodedTransaction, Ledger } from '@forecourt/ledger';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { Inject, Injectable } from '@nestjs/common';
import { AccessAudit } from '../access/access-audit.js';
import { AccessPolicy } from '../access/access-policy.js';
import { type AccessPreview, previewAccess } from '../access/access-preview.js';
import { nameOfRefusing } from '../access/access-refusal.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { AccessFacts, type PresentedTransaction, type PricedSubject } from './access-facts.js';
import type { SponsoringCall } from './reservations.service.js';

/** A transaction that its user has not signed yet, as it would be executed; reservation 0: no coins are reserved yet. */
export interface PreviewedTransaction extends Pick<
  PresentedTransaction,
  'header' | 'payer' | 'reservationId' | 'simulated'
> {
  readonly transaction: DecodedTransaction;
  readonly sponsor: string;
  readonly durationSecs: number;
  /** If the whole budget is used, the rest of the coins may be dust. */
  readonly mayLeaveDust: boolean;
}

/** The decision about a transaction that is not signed yet, and the facts that it rests on. */
export interface TransactionPreview extends AccessPreview {
  readonly subject: PricedSubject;
}

/** Decides about transactions as access rules would, without hooks and claims. */
@Injectable()
export class TransactionPreviews {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly policy: AccessPolicy,
    private readonly facts: AccessFacts,
    private readonly coinPool: CoinPoolClient,
    private readonly audit: AccessAudit,
  ) {}

  /**
   * Previews the decision about a transaction that is not signed yet. No hook is called.
   * Throws PAUSED, `LedgerUnreachable`, and the errors of `CoinPoolClient.readUsages`.
   */
  async preview(caller: Caller, previewed: PreviewedTransaction): Promise<TransactionPreview> {
    const { transaction, sponsor } = previewed;
    const { referenceGasPrice } = await this.ledger.status();
    const txBytes = Buffer.from(transaction.bytes).toString('base64');
    const signed = { ...previewed, caller, txBytes, userSig: '' };
    const reservation = { ...previewed, gasBudget: Number(transaction.gasBudget) };
    const rules = this.policy.rulesOf(caller);
    const subject = this.facts.of(signed, transaction, reservation, referenceGasPrice, rules);
    const preview = await previewAccess(subject, rules, async (counters) => {
      const { usages } = await this.coinPool.readUsages({ sponsor, counters });
      return usages;
    });
    return { ...preview, subject };
  }

  /** Throws what a preview refuses a transaction with that is being built, recorded and audited as that of an execution. */
  requireAllowed(
    { requestId, refusal }: SponsoringCall,
    { refusal: error, refusedBy, subject }: TransactionPreview,
  ): void {
    if (error === null || refusedBy === null) return;
    const { outcome, rule } = refusedBy;
    refusal.facts = writeDecisionFacts({ ...subject, ...subject.reservation });
    refusal.rule = nameOfRefusing(refusedBy);
    this.audit.write({ requestId, stage: 'build', outcome, rule, subject, dryRun: false });
    throw error;
  }
}
