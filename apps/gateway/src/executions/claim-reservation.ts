import { Inject, Injectable } from '@nestjs/common';
import {
  type ErrorCode,
  ForecourtError,
  type FoundReservation,
  type ExpectedUsage,
  type Waiter,
} from '@forecourt/contracts';
import { type DecodedTransaction, largestSponsorCost, type Ledger } from '@forecourt/ledger';
import { checkGasPrice } from '@forecourt/policy/sponsorship';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { AccessPolicy } from '../access/access-policy.js';
import type { AccessQuestion } from '../access/access-question.js';
import { CallerLimits } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import type { ExecuteRequest } from './execute-request.js';
import { Pauses } from '../access/pauses.js';
import { ReleaseUnusedReservation } from '../reservations/release-unused-reservation.js';
import { InputChecks } from './input-checks.js';
import { QueueBackpressure } from './queue-backpressure.js';
import { RefusedExecutions } from './refused-executions.js';

/** A counter rarely differs from what a decision assumed, and even more rarely several times in a row. */
const MAX_DECISIONS = 20;

/** Time after a used-up limit of a token for which the gateway reads its counters before it calls the ledger. */
const LIMITED_MS = 60_000;

/** Refusals of a claim that a caller can cause again and again, each time after the ledger was asked for it. */
const COUNTED: ReadonlySet<ErrorCode> = new Set([
  'ACCESS_UNDECIDED',
  'FORBIDDEN',
  'GAS_PRICE_TOO_HIGH',
  'INPUT_IN_FLIGHT',
  'QUARANTINE_LIMIT',
  'SPENDING_LIMIT',
]);

type Usage = readonly ExpectedUsage[];

/** The facts that decide about a claim. */
interface Claim {
  readonly request: ExecuteRequest;
  readonly transaction: DecodedTransaction;
  readonly waiter: Waiter;
  readonly reservation: FoundReservation;
  readonly question: AccessQuestion;
  readonly referenceGasPrice: bigint;
}

/** Binds a reservation to a transaction. */
@Injectable()
export class ClaimReservation {
  /** Token with a limit that was found used up → the end of its `LIMITED_MS`. Others of its limits may have room meanwhile. */
  readonly #limitedUntil = new Map<string, number>();

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'maxGasPriceRatio'>,
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly backpressure: QueueBackpressure,
    private readonly accessPolicy: AccessPolicy,
    private readonly inputChecks: InputChecks,
    private readonly limits: CallerLimits,
    private readonly coinPool: CoinPoolClient,
    private readonly pauses: Pauses,
    private readonly releaseUnused: ReleaseUnusedReservation,
    private readonly refused: RefusedExecutions,
  ) {}

  /**
   * Claims if the access rules allow the transaction, its gas price is acceptable and validators would accept its inputs.
   * A hook is called last: by then a transaction has passed all other checks, and what the hook refuses is counted.
   * Returns the reservation as it is then: claimed by this call, or as another call for the same transaction has left it.
   * Throws PAUSED, STORE_UNREACHABLE, OVERLOADED, FORBIDDEN, SPENDING_LIMIT, ACCESS_UNDECIDED, GAS_PRICE_TOO_HIGH, what
   * `InputChecks` and `CoinPoolClient.claimReservation` throw, and `LedgerUnreachable`.
   */
  async run(
    request: ExecuteRequest,
    transaction: DecodedTransaction,
    waiter: Waiter,
    reservation: FoundReservation,
  ): Promise<FoundReservation> {
    const { caller, reservationId } = request;
    this.pauses.requireRunning({ token: caller.token, sponsor: reservation.sponsor });
    await this.backpressure.requireRoom();
    const { referenceGasPrice } = await this.ledger.status();
    const question = this.askAccess(request, transaction, reservation, referenceGasPrice);
    const claim = { request, transaction, waiter, reservation, question, referenceGasPrice };
    const early = await this.decide(claim, () => question.decideWithoutCalls());
    const exclusive = await this.inputChecks.check(caller.name, reservationId, transaction);
    const inputs = exclusive.map(({ objectId, version }) => `${objectId}:${version}`);
    try {
      const usage = early ?? (await this.decide(claim, () => question.decide()));
      return await this.claim(claim, inputs, usage);
    } catch (error) {
      const isCounted = error instanceof ForecourtError && COUNTED.has(error.code);
      if (isCounted) await this.refused.count(caller.name);
      throw error;
    }
  }

  private async claim(
    { request, transaction, waiter, reservation, question }: Claim,
    inputs: readonly string[],
    decided: Usage,
  ): Promise<FoundReservation> {
    const { caller, reservationId, txBytes, userSig, requestId } = request;
    const { digest } = transaction;
    let usage = decided;
    passFailpoint('gateway:before-claim');
    for (let decisions = 0; decisions < MAX_DECISIONS; decisions++) {
      const claimed = await this.coinPool.claimReservation({
        caller: caller.name,
        reservationId,
        digest,
        txBytes,
        userSig,
        waiter,
        rule: question.ruleName,
        inputs,
        usage,
        quarantineLimit: this.limits.quarantineLimit(caller),
      });
      if (claimed.claimed) {
        passFailpoint('gateway:after-claim');
        question.auditClaim();
        this.logger.debug(
          { requestId, caller: caller.name, reservationId, digest },
          'reservation claimed',
        );
        const { fence, sponsor } = claimed;
        return { ...reservation, state: 'claimed', digest, fence, sponsor, refusal: null };
      }
      if (claimed.found) return claimed.found;
      question.learn(claimed.usages);
      usage = await this.askRules(request, question, () => question.decide());
    }
    throw new ForecourtError('SPENDING_LIMIT', 'too many transactions are counted at once');
  }

  private askAccess(
    { caller, reservationId, txBytes, userSig, requestId, header }: ExecuteRequest,
    transaction: DecodedTransaction,
    { gasBudget, durationSecs, mayLeaveDust }: FoundReservation,
    referenceGasPrice: bigint,
  ): AccessQuestion {
    const subject = {
      caller: caller.token,
      user: caller.name,
      reservation: { gasBudget, durationSecs },
      at: new Date(),
      transaction,
      reservationId,
      txBytes,
      userSig,
      header,
      referenceGasPrice,
      largestCost: largestSponsorCost(transaction, mayLeaveDust),
      transactionJson: () => this.ledger.transactionJson(transaction),
    };
    return this.accessPolicy.ask(caller, subject, requestId);
  }

  /** The usage that the claim must find and count; null where a hook has to be called first. Refuses a gas price that is too high. */
  private async decide<T extends Usage | null>(
    { request, transaction, reservation, question, referenceGasPrice }: Claim,
    decision: () => Promise<T>,
  ): Promise<T> {
    let usage = await this.askRules(request, question, decision);
    // Without a counter the same would be decided, and audited, twice.
    if (usage !== null && usage.length > 0 && this.isLimited(request.caller.token)) {
      const counters = usage.map(({ counter }) => counter);
      const { sponsor } = reservation;
      // If they cannot be read, the claim will tell.
      const read = await this.coinPool.readUsages({ sponsor, counters }).catch(() => null);
      question.learn(read?.usages ?? []);
      usage = await this.askRules(request, question, decision);
    }
    if (usage === null) return usage;
    const { maxGasPriceRatio } = this.config;
    checkGasPrice(transaction, referenceGasPrice, maxGasPriceRatio, question.allowsGasPrice);
    return usage;
  }

  private isLimited(token: string): boolean {
    const until = this.#limitedUntil.get(token);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#limitedUntil.delete(token);
    return false;
  }

  /** A denial releases the reservation where the rules say so. */
  private async askRules<T>(
    { caller, reservationId, requestId }: ExecuteRequest,
    question: AccessQuestion,
    decision: () => Promise<T>,
  ): Promise<T> {
    try {
      return await decision();
    } catch (error) {
      const code = error instanceof ForecourtError ? error.code : null;
      if (code === 'SPENDING_LIMIT') {
        this.#limitedUntil.set(caller.token, performance.now() + LIMITED_MS);
      }
      if (code === 'FORBIDDEN' && question.freesDenied) {
        await this.releaseUnused.run({ caller: caller.name, reservationId }, requestId);
      }
      throw error;
    }
  }
}
