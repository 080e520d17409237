import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError, type FoundReservation, writeDecisionFacts } from '@forecourt/contracts';
import {
  type DecodedTransaction,
  largestSponsorCost,
  type Ledger,
  type LedgerStatus,
  type SimulatedTransaction,
} from '@forecourt/ledger';
import { type AccessSubject, HookCaller, mayAllowAbstractAccounts } from '@forecourt/policy/access';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LRUCache } from 'lru-cache';
import { AccessAudit } from '../access/access-audit.js';
import { AccessPolicy, type CallerRules } from '../access/access-policy.js';
import { type AccessPreview, previewAccess } from '../access/access-preview.js';
import { CallerLimits } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { Pauses } from '../access/pauses.js';
import { ReservationsService, type SponsoringCall } from './reservations.service.js';
import { AccessFacts } from './access-facts.js';
import { ForecastChecks } from './forecast-checks.js';
import { nameOfRefusing, type PricedSubject, TransactionDecision } from './transaction-decision.js';
import type { ExecuteRequest, ReadHeader, SignedTransaction } from './transaction-reader.js';

/** Time after a used-up limit of a token for which the gateway reads its counters before it calls the ledger. */
const LIMITED_MS = 60_000;
const MAX_LIMITED = 10_000;

/** A transaction that its user has not signed yet, as it would be executed. */
export interface PreviewedTransaction {
  readonly transaction: DecodedTransaction;
  readonly sponsor: string;
  readonly durationSecs: number;
  /** If the whole budget is used, the rest of the coins may be dust. */
  readonly mayLeaveDust: boolean;
  /** 0: no coins are reserved yet. */
  readonly reservationId: number;
  readonly header: ReadHeader;
  /** The caller who pays the processor time of the decision; absent: the one whom it is about. */
  readonly payer?: Pick<Caller, 'token' | 'name'>;
  /** A dry run of the same effect; absent: made if a rule asks for it. */
  readonly simulated?: SimulatedTransaction;
}

/** The decision about a transaction that is not signed yet, and the facts that it rests on. */
export interface TransactionPreview extends AccessPreview {
  readonly subject: PricedSubject;
}

/** Decides by pauses, access rules, hooks and limits whether a transaction is sponsored. Its decisions use what is public. */
@Injectable()
export class TransactionAccess {
  /** Tokens with a limit that was found used up. Others of its limits may have room meanwhile. */
  readonly limited = new LRUCache<string, true>({
    max: MAX_LIMITED,
    ttl: LIMITED_MS,
    ttlResolution: 0,
  });

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly policy: AccessPolicy,
    private readonly pauses: Pauses,
    @Inject(GATEWAY_CONFIG) readonly config: GatewayConfig,
    readonly audit: AccessAudit,
    readonly hooks: HookCaller,
    readonly limits: CallerLimits,
    readonly coinPool: CoinPoolClient,
    readonly reservations: ReservationsService,
    readonly facts: AccessFacts,
    readonly forecasts: ForecastChecks,
  ) {}

  /**
   * Prepares the decision about a signed transaction, by the rules that are in force now. Throws PAUSED, STORE_UNREACHABLE, and
   * SIGNATURE_UNSUPPORTED for an abstract account that no rule can allow.
   */
  prepareDecision(
    request: ExecuteRequest,
    transaction: SignedTransaction,
    reservation: FoundReservation,
    { referenceGasPrice }: LedgerStatus,
  ): TransactionDecision {
    const { caller } = request;
    const { sponsor } = reservation;
    this.pauses.requireRunning({ token: caller.token, sponsor });
    const rules = this.policy.rulesOf(caller);
    const subject = this.subjectOf(request, transaction, reservation, referenceGasPrice, rules);
    const facts = writeDecisionFacts({ ...subject, ...subject.reservation });
    request.refusal.facts = facts;
    this.requireAllowedAccount(subject, mayAllowAbstractAccounts(rules.ruleSet));
    return new TransactionDecision(this, request, sponsor, subject, facts, rules);
  }

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
    const subject = this.subjectOf(signed, transaction, reservation, referenceGasPrice, rules);
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

  /** `signed`: the call that presents the transaction, or would present it. */
  private subjectOf(
    signed: Pick<ExecuteRequest, 'caller' | 'reservationId' | 'txBytes' | 'userSig' | 'header'> &
      Pick<PreviewedTransaction, 'simulated' | 'payer'>,
    transaction: SignedTransaction,
    reservation: Pick<FoundReservation, 'gasBudget' | 'durationSecs' | 'mayLeaveDust'>,
    referenceGasPrice: bigint,
    { dryRun }: CallerRules,
  ): PricedSubject {
    const { caller, reservationId, txBytes, userSig, header } = signed;
    const { gasBudget, durationSecs, mayLeaveDust } = reservation;
    const facts = this.facts.of(signed.payer ?? caller, transaction, signed.simulated);
    return {
      caller: caller.token,
      user: caller.name,
      reservation: { gasBudget, durationSecs },
      at: new Date(),
      sponsor: transaction.gasOwner,
      transaction,
      isOfAbstractAccount: transaction.account !== undefined,
      reservationId,
      txBytes,
      userSig,
      header,
      referenceGasPrice,
      largestCost: largestSponsorCost(transaction, mayLeaveDust),
      ...facts,
      readBalanceChanges: async () => {
        if (!dryRun) this.pauses.requireForecasts(caller.token);
        return facts.readBalanceChanges();
      },
    };
  }

  /** Throws SIGNATURE_UNSUPPORTED for an abstract account that neither the configuration nor a rule allows. */
  requireAllowedAccount(
    { isOfAbstractAccount, userSig }: AccessSubject,
    allowedByRule: boolean,
  ): void {
    if (!isOfAbstractAccount || this.config.allowAbstractAccounts || allowedByRule) return;
    const reason = this.ledger.unsupportedSignature(userSig) ?? '';
    throw new ForecourtError('SIGNATURE_UNSUPPORTED', reason);
  }
}
