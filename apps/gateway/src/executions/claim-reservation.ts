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
import { CallerLimits } from '../authorization/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import type { ExecuteRequest } from './execute-request.js';
import { Pauses } from '../pausing/pauses.js';
import { ReleaseUnusedReservation } from '../reservations/release-unused-reservation.js';
import { InputChecks } from './input-checks.js';
import { QueueBackpressure } from './queue-backpressure.js';
import { RefusedExecutions } from './refused-executions.js';

/** A counter rarely differs from what a decision assumed, and even more rarely several times in a row. */
const MAX_DECISIONS = 20;

/** Refusals of a claim that a caller can cause again and again, each time after the ledger was asked for it. */
const COUNTED: ReadonlySet<ErrorCode> = new Set(['INPUT_IN_FLIGHT', 'QUARANTINE_LIMIT']);

/** Binds a reservation to a transaction. */
@Injectable()
export class ClaimReservation {
  /** Tokens with a limit that was found used up: their counters are read before the ledger is asked. */
  readonly #limited = new Set<string>();

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
    const { caller, reservationId, txBytes, userSig, requestId } = request;
    const { digest } = transaction;
    this.pauses.requireRunning({ token: caller.token, sponsor: reservation.sponsor });
    await this.backpressure.requireRoom();
    const { referenceGasPrice } = await this.ledger.status();
    const question = this.askAccess(request, transaction, reservation, referenceGasPrice);
    let usage = await this.decide(request, question);
    if (this.#limited.has(caller.token)) {
      usage = await this.decideByUsages(request, question, reservation.sponsor, usage);
    }
    const { maxGasPriceRatio } = this.config;
    checkGasPrice(transaction, referenceGasPrice, maxGasPriceRatio, question.allowsGasPrice);
    const exclusive = await this.inputChecks.check(caller.name, reservationId, transaction);
    const inputs = exclusive.map(({ objectId, version }) => `${objectId}:${version}`);
    passFailpoint('gateway:before-claim');
    for (let decisions = 0; decisions < MAX_DECISIONS; decisions++) {
      const claimed = await this.coinPool
        .claimReservation({
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
        })
        .catch((error: unknown) => this.countRefusal(caller.name, error));
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
      usage = await this.decide(request, question);
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

  /** Decides again by what the counters have now; if they cannot be read, the claim will tell. */
  private async decideByUsages(
    request: ExecuteRequest,
    question: AccessQuestion,
    sponsor: string,
    expected: readonly ExpectedUsage[],
  ): Promise<readonly ExpectedUsage[]> {
    const counters = expected.map(({ counter }) => counter);
    const read = await this.coinPool.readUsages({ sponsor, counters }).catch(() => null);
    if (read === null) return expected;
    question.learn(read.usages);
    const usage = await this.decide(request, question);
    this.#limited.delete(request.caller.token);
    return usage;
  }

  /** Throws the error. */
  private async countRefusal(caller: string, error: unknown): Promise<never> {
    const isCounted = error instanceof ForecourtError && COUNTED.has(error.code);
    if (isCounted) await this.refused.count(caller);
    throw error;
  }

  /** The usage that the claim must find and count. A denial releases the reservation where the rules say so. */
  private async decide(
    { caller, reservationId, requestId }: ExecuteRequest,
    question: AccessQuestion,
  ): Promise<readonly ExpectedUsage[]> {
    try {
      return await question.decide();
    } catch (error) {
      const code = error instanceof ForecourtError ? error.code : null;
      if (code === 'SPENDING_LIMIT') this.#limited.add(caller.token);
      if (code === 'FORBIDDEN' && question.freesDenied) {
        await this.releaseUnused.run({ caller: caller.name, reservationId }, requestId);
      }
      throw error;
    }
  }
}
