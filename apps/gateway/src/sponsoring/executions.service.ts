import { Injectable } from '@nestjs/common';
import {
  type ClaimedReservation,
  type ClaimReservationMessage,
  type ErrorCode,
  type FindReservationMessage,
  ForecourtError,
  type FoundReservation,
  type TransactionEffects,
} from '@forecourt/contracts';
import type { FinalTransaction } from '@forecourt/ledger';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { addLogFields } from '@forecourt/runtime/service';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { isUndone } from '../replicas/service-client.js';
import { Outcomes, unusedEndOf } from './outcomes.js';
import { AFTER_LOOK_UP, AFTER_SUBMISSION, RefusalLimit } from './refusal-limit.js';
import { type DecidedTransaction, TransactionDecisions } from './transaction-decisions.js';
import type { TransactionDecision } from './transaction-decision.js';
import {
  type ExecuteRequest,
  type SignedTransaction,
  TransactionReader,
} from './transaction-reader.js';
import type { OutcomeWatch } from './outcome-watch.js';
import { LandedTransactions } from './landed-transactions.js';

/**
 * A counter rarely differs from the value that a decision assumed, and even more rarely several times in a
 * row.
 */
const MAX_DECISIONS = 20;

/**
 * Refusals that also meet a transaction that has landed, when a Redis that was restored from a backup has no
 * record of it: its reservation has expired or was released, and its inputs are at later versions.
 */
const MAY_HAVE_LANDED: ReadonlySet<ErrorCode> = new Set([
  'RESERVATION_EXPIRED',
  'RESERVATION_RELEASED',
  'REFUSED_BY_LEDGER',
]);

/** A call of execute whose transaction is decoded and signed by its user. */
interface Call {
  readonly request: ExecuteRequest;
  readonly transaction: SignedTransaction;
  readonly lookup: FindReservationMessage;
  /** By which this call has bound the reservation; null: an earlier or a faster one may have. */
  claimedBy: TransactionDecision | null;
}

/** Executes users' transactions with the coins of reservations: find, decide, claim, wait. */
@Injectable()
export class ExecutionsService {
  constructor(
    private readonly reader: TransactionReader,
    private readonly coinPool: CoinPoolClient,
    private readonly decisions: TransactionDecisions,
    private readonly outcomes: Outcomes,
    private readonly landed: LandedTransactions,
    private readonly refusals: RefusalLimit,
  ) {}

  /**
   * Returns the transaction's effects. A repeated call returns the outcome of the first one: a known digest
   * is answered before any other check (contract, "Same reservation and same transaction again"). Throws
   * every error of the contract's HTTP table for execute, `InvalidTransactionBytes`, `LedgerUnreachable`.
   */
  async execute(request: ExecuteRequest): Promise<TransactionEffects> {
    const transaction = await this.reader.readSigned(request);
    const { digest } = transaction;
    const { reservationId, requestType } = request;
    const caller = request.caller.name;
    addLogFields({ digest });
    const waiter = { gateway: this.outcomes.gateway, requestType };
    const lookup = { caller, reservationId, digest, waiter };
    const call: Call = { request, transaction, lookup, claimedBy: null };
    // Before the claim, because the outcome may arrive before the claim's answer.
    const watch = this.outcomes.watch(lookup, { txBytes: request.txBytes, transaction });
    try {
      const found = await this.find(call);
      const bound = isAccepted(found, digest)
        ? await this.resume(call, found)
        : await this.bind(call, found);
      request.refusal.isBound = true;
      if ('effects' in bound) return bound.effects;
      const effects = await this.wait(call, watch, bound);
      if (transaction.account && call.claimedBy && effects.status.status === 'success') {
        await this.refusals.excuse(caller);
      }
      void call.claimedBy?.checkForecast(effects);
      return effects;
    } finally {
      watch.close();
    }
  }

  /**
   * The reservation, or the transaction as the ledger has it if the reservation has left no trace. Throws
   * RESERVATION_UNKNOWN, for another caller's reservation too.
   */
  private async find({ lookup }: Call): Promise<FoundReservation | FinalTransaction> {
    const reply = await this.coinPool.findReservation(lookup);
    if (reply.found) return reply.found;
    const unknown = new ForecourtError('RESERVATION_UNKNOWN', String(lookup.reservationId));
    if (reply.everHeld) throw unknown;
    return this.landed.findOrRefuse(lookup.caller, lookup.digest, unknown);
  }

  /**
   * An earlier call's transaction. The coin-pool of that call may have died between the claim and its job,
   * which is enqueued again: twice is still one job.
   */
  private async resume<T extends FoundReservation | FinalTransaction>(
    { lookup }: Call,
    accepted: T,
  ): Promise<T> {
    const isClaimed = 'state' in accepted && accepted.state === 'claimed';
    if (isClaimed) await this.coinPool.enqueueClaim(lookup);
    return accepted;
  }

  /** Decides about a transaction that no call has had accepted, and claims the reservation for it. */
  private async bind(
    call: Call,
    reservation: FoundReservation,
  ): Promise<FoundReservation | FinalTransaction> {
    const { request, transaction } = call;
    const { caller, refusal: record, reservationId } = request;
    record.reservationId = reservationId;
    record.sponsor = reservation.sponsor;
    try {
      requireOpen(reservation);
      const decided = await this.decisions.decide(request, transaction, reservation);
      const claim = () =>
        transaction.account
          ? this.claimOnSuspicion(call, reservation, decided)
          : this.claim(call, reservation, decided);
      return await this.refusals.counting(caller.name, AFTER_LOOK_UP, claim);
    } catch (refusal) {
      return this.findAccepted(call, refusal as Error);
    }
  }

  /**
   * Counts a transaction of an abstract account as failed from its claim on: only its execution proves the
   * contrary.
   */
  private async claimOnSuspicion(
    call: Call,
    reservation: FoundReservation,
    decided: DecidedTransaction,
  ): Promise<FoundReservation> {
    const { caller } = call.lookup;
    await this.refusals.suspect(caller);
    try {
      return await this.claim(call, reservation, decided);
    } finally {
      if (!call.claimedBy) await this.refusals.excuse(caller);
    }
  }

  /**
   * Has the coin-pool bind the reservation, which enqueues its job. Returns it in the state that it has then:
   * claimed by this call, or as another call for the same transaction has left it.
   */
  private async claim(
    call: Call,
    reservation: FoundReservation,
    { decision, terms: decided, inputs: exclusive }: DecidedTransaction,
  ): Promise<FoundReservation> {
    const { request, lookup } = call;
    const { txBytes, userSig } = request;
    const { digest } = lookup;
    const inputs = exclusive.map(({ objectId, version }) => `${objectId}:${version}`);
    passFailpoint('gateway:before-claim');
    let terms = decided;
    for (let decisions = 0; decisions < MAX_DECISIONS; decisions++) {
      const message = { ...lookup, ...terms, txBytes, userSig, inputs };
      await decision.rememberForecast();
      const reply = await this.claimOrForget(message, decision);
      if (reply.claimed) {
        passFailpoint('gateway:after-claim');
        decision.auditClaim();
        const { fence, sponsor } = reply;
        call.claimedBy = decision;
        return { ...reservation, state: 'claimed', digest, fence, sponsor, refusal: null };
      }
      await decision.forgetForecast();
      if (reply.found) return await this.resume(call, reply.found);
      terms = await decision.decideAgain(reply.usages);
    }
    throw new ForecourtError('SPENDING_LIMIT', 'too many transactions are counted at once');
  }

  /** Forgets the forecast if the claim is certainly not made. `ForecastChecks` finds out about others. */
  private async claimOrForget(
    message: ClaimReservationMessage,
    decision: TransactionDecision,
  ): Promise<ClaimedReservation> {
    try {
      return await this.coinPool.claimReservation(message);
    } catch (error) {
      if (isUndone(error)) await decision.forgetForecast();
      throw error;
    }
  }

  /**
   * A transaction that was accepted before is not refused. This asks the coin-pool again, because the
   * reservation may have changed since: it is remembered from when it was handed out, or a call at another
   * gateway was faster.
   */
  private async findAccepted(
    call: Call,
    refusal: Error,
  ): Promise<FoundReservation | FinalTransaction> {
    const { lookup } = call;
    const found = await this.find(call);
    if (isAccepted(found, lookup.digest)) return this.resume(call, found);
    // A denial may have released the reservation itself.
    const isDenial = refusal instanceof ForecourtError && refusal.code === 'FORBIDDEN';
    const error = isDenial ? refusal : (refusalOf(found) ?? refusal);
    if (!(error instanceof ForecourtError) || !MAY_HAVE_LANDED.has(error.code)) throw error;
    return this.landed.findOrRefuse(lookup.caller, lookup.digest, error);
  }

  /**
   * Waits for the effects. A refusal by validators counts against the caller; a call that learns of it later
   * costs nothing.
   */
  private async wait(
    { lookup, claimedBy }: Call,
    watch: OutcomeWatch,
    bound: FoundReservation,
  ): Promise<TransactionEffects> {
    const wait = () => this.outcomes.wait(watch, bound);
    try {
      if (bound.state !== 'claimed') return await wait();
      return await this.refusals.counting(lookup.caller, AFTER_SUBMISSION, wait);
    } catch (error) {
      const isRefused = error instanceof ForecourtError && AFTER_SUBMISSION.has(error.code);
      if (isRefused) await claimedBy?.forgetForecast();
      throw error;
    }
  }
}

/** Whether the transaction was accepted before: it has landed, or the reservation is bound to it. */
function isAccepted(
  found: FoundReservation | FinalTransaction,
  digest: string,
): found is FinalTransaction | (FoundReservation & { readonly digest: string }) {
  if ('effects' in found) return true;
  return found.state !== 'reserved' && found.digest === digest;
}

/** The reason why a transaction can no longer use the reservation, or null. */
function refusalOf(found: FoundReservation): ForecourtError | null {
  if (found.state === 'reserved') return null;
  return unusedEndOf(found) ?? new ForecourtError('RESERVATION_USED', String(found.reservationId));
}

function requireOpen(reservation: FoundReservation): void {
  const refusal = refusalOf(reservation);
  if (refusal) throw refusal;
}
