import { WindowCounter } from '@forecourt/admission';
import { Inject, Injectable } from '@nestjs/common';
import {
  type ClaimReservationMessage,
  type CurrentUsage,
  type ExpectedUsage,
  ForecourtError,
  type FoundReservation,
} from '@forecourt/contracts';
import { type DecodedTransaction, largestSponsorCost, type Ledger } from '@forecourt/ledger';
import type { AccessSubject } from '@forecourt/policy/access';
import { checkGasPrice } from '@forecourt/policy/sponsorship';
import type { Caller } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LRUCache } from 'lru-cache';
import { AccessPolicy } from '../access/access-policy.js';
import type { AccessPreview } from '../access/access-preview.js';
import type { AccessQuestion } from '../access/access-question.js';
import { CallerLimits, consumeOrRefuse } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { Pauses } from '../access/pauses.js';
import { ReservationsService } from './reservations.service.js';
import type { ExecuteRequest, ReadHeader, SignedTransaction } from './transaction-reader.js';

/** Time after a used-up limit of a token for which the gateway reads its counters before it calls the ledger. */
const LIMITED_MS = 60_000;
const MAX_LIMITED = 10_000;

/**
 * The JSON of larger transactions counts: it can take a tenth of a second, in which the gateway does nothing else. The rest
 * is as cheap as a signature.
 */
const SMALL_BYTES = 4_096;
const JSON_WINDOW_SECS = 10;
const MAX_JSON_BYTES = 2_097_152;

type Usage = readonly ExpectedUsage[];

/** A question to the access rules about one transaction, with the facts that decide. */
export interface AskedAccess {
  readonly request: ExecuteRequest;
  readonly transaction: SignedTransaction;
  readonly sponsor: string;
  readonly referenceGasPrice: bigint;
  readonly question: AccessQuestion;
}

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
}

/** Decides by pauses, access rules, hooks and limits whether a transaction is sponsored. */
@Injectable()
export class TransactionAccess {
  /** Tokens with a limit that was found used up. Others of its limits may have room meanwhile. */
  readonly #limited = new LRUCache<string, true>({
    max: MAX_LIMITED,
    ttl: LIMITED_MS,
    ttlResolution: 0,
  });

  /** Bytes of large transactions whose JSON policies have looked at. */
  readonly #madeJson = WindowCounter.inProcess({ most: MAX_JSON_BYTES, seconds: JSON_WINDOW_SECS });

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly accessPolicy: AccessPolicy,
    private readonly limits: CallerLimits,
    private readonly pauses: Pauses,
    private readonly coinPool: CoinPoolClient,
    private readonly reservations: ReservationsService,
  ) {}

  /**
   * Begins to decide about a signed transaction. Throws PAUSED, STORE_UNREACHABLE, `LedgerUnreachable`, and
   * SIGNATURE_UNSUPPORTED for an abstract account that no rule can allow.
   */
  async ask(
    request: ExecuteRequest,
    transaction: SignedTransaction,
    reservation: FoundReservation,
  ): Promise<AskedAccess> {
    const { caller, requestId } = request;
    const { sponsor } = reservation;
    this.pauses.requireRunning({ token: caller.token, sponsor });
    const { referenceGasPrice } = await this.ledger.status();
    const subject = this.subjectOf(request, transaction, reservation, referenceGasPrice);
    const question = this.accessPolicy.ask(caller, subject, requestId);
    this.requireAllowedAccount(request, transaction, question.mayAllowAbstractAccounts);
    return { request, transaction, sponsor, referenceGasPrice, question };
  }

  /**
   * Returns the usage that the claim must find and count; null where a hook has to be called first.
   * Throws FORBIDDEN, SPENDING_LIMIT, ACCESS_UNDECIDED, GAS_PRICE_TOO_HIGH, SIGNATURE_UNSUPPORTED. A denial releases the
   * reservation if the rules say so.
   */
  decideWithoutHooks(asked: AskedAccess): Promise<Usage | null> {
    return this.decideWith(asked, () => asked.question.decideWithoutCalls());
  }

  /** As `decideWithoutHooks`, but calls the hooks, once each. */
  decide(asked: AskedAccess): Promise<Usage> {
    return this.decideWith(asked, () => asked.question.decide());
  }

  /** Decides with the counters' current values, which were not those that the last decision assumed. */
  async decideAgain(asked: AskedAccess, usages: readonly CurrentUsage[]): Promise<Usage> {
    asked.question.learn(usages);
    const usage = await this.askRules(asked, () => asked.question.decide());
    this.requireAllowedByRule(asked);
    return usage;
  }

  /** The terms of the claim that follow from the last decision. */
  termsOf(
    { request, question }: AskedAccess,
    usage: Usage,
  ): Pick<ClaimReservationMessage, 'rule' | 'usage' | 'quarantineLimit'> {
    const quarantineLimit = this.limits.quarantineLimit(request.caller);
    return { rule: question.ruleName, usage, quarantineLimit };
  }

  /**
   * Previews the decision about a transaction that is not signed yet. No hook is called.
   * Throws `LedgerUnreachable`, and the errors of `CoinPoolClient.readUsages`.
   */
  async preview(caller: Caller, previewed: PreviewedTransaction): Promise<AccessPreview> {
    const { transaction, sponsor } = previewed;
    const { referenceGasPrice } = await this.ledger.status();
    const txBytes = Buffer.from(transaction.bytes).toString('base64');
    const signed = { ...previewed, caller, txBytes, userSig: '' };
    const reservation = { ...previewed, gasBudget: Number(transaction.gasBudget) };
    const subject = this.subjectOf(signed, transaction, reservation, referenceGasPrice);
    return this.accessPolicy.preview(caller, subject, async (counters) => {
      const { usages } = await this.coinPool.readUsages({ sponsor, counters });
      return usages;
    });
  }

  /** `signed`: the call that presents the transaction, or would present it. */
  private subjectOf(
    signed: Pick<ExecuteRequest, 'caller' | 'reservationId' | 'txBytes' | 'userSig' | 'header'>,
    transaction: SignedTransaction,
    reservation: Pick<FoundReservation, 'gasBudget' | 'durationSecs' | 'mayLeaveDust'>,
    referenceGasPrice: bigint,
  ): AccessSubject {
    const { caller, reservationId, txBytes, userSig, header } = signed;
    const { gasBudget, durationSecs, mayLeaveDust } = reservation;
    return {
      caller: caller.token,
      user: caller.name,
      reservation: { gasBudget, durationSecs },
      at: new Date(),
      transaction,
      isOfAbstractAccount: transaction.account !== undefined,
      reservationId,
      txBytes,
      userSig,
      header,
      referenceGasPrice,
      largestCost: largestSponsorCost(transaction, mayLeaveDust),
      transactionJson: this.jsonOf(caller, transaction),
    };
  }

  /** Makes the JSON once, at its first use. The function rejects with OVERLOADED for a caller with too many large transactions. */
  private jsonOf({ name }: Caller, transaction: DecodedTransaction): () => Promise<unknown> {
    const make = async () => {
      const { length } = transaction.bytes;
      if (length > SMALL_BYTES) await consumeOrRefuse(this.#madeJson, name, 'OVERLOADED', length);
      return this.ledger.transactionJson(transaction);
    };
    let made: Promise<unknown> | undefined;
    return () => (made ??= make());
  }

  private async decideWith<T extends Usage | null>(
    asked: AskedAccess,
    decision: () => Promise<T>,
  ): Promise<T> {
    const { request, sponsor, question } = asked;
    let usage = await this.askRules(asked, decision);
    // Without a counter the decision, and its audit, would be the same.
    if (usage !== null && usage.length > 0 && this.#limited.has(request.caller.token)) {
      const counters = usage.map(({ counter }) => counter);
      // If they cannot be read, the claim finds out.
      const read = await this.coinPool.readUsages({ sponsor, counters }).catch(() => null);
      question.learn(read?.usages ?? []);
      usage = await this.askRules(asked, decision);
    }
    if (usage !== null) this.requireAllowedByRule(asked);
    return usage;
  }

  /** Refuses what only a rule can allow, if the last decision does not rest on such a rule. */
  private requireAllowedByRule(asked: AskedAccess): void {
    const { request, transaction, referenceGasPrice, question } = asked;
    this.requireAllowedAccount(request, transaction, question.allowsAbstractAccount);
    const { maxGasPriceRatio } = this.config;
    checkGasPrice(transaction, referenceGasPrice, maxGasPriceRatio, question.allowsGasPrice);
  }

  private requireAllowedAccount(
    { userSig }: ExecuteRequest,
    { account }: SignedTransaction,
    allowedByRule: boolean,
  ): void {
    if (!account || this.config.allowAbstractAccounts || allowedByRule) return;
    const reason = this.ledger.unsupportedSignature(userSig) ?? '';
    throw new ForecourtError('SIGNATURE_UNSUPPORTED', reason);
  }

  private async askRules<T>(
    { request, question }: AskedAccess,
    decision: () => Promise<T>,
  ): Promise<T> {
    const { caller, reservationId, requestId, refusal } = request;
    try {
      return await decision();
    } catch (error) {
      const code = error instanceof ForecourtError ? error.code : null;
      if (code === 'FORBIDDEN' || code === 'SPENDING_LIMIT') refusal.rule = question.ruleName;
      if (code === 'SPENDING_LIMIT') this.#limited.set(caller.token, true);
      if (code === 'FORBIDDEN' && question.freesDenied) {
        await this.reservations.releaseUnused({ caller: caller.name, reservationId }, requestId);
      }
      throw error;
    }
  }
}
