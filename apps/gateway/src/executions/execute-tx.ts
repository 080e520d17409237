import { Inject, Injectable } from '@nestjs/common';
import {
  type FindReservationMessage,
  ForecourtError,
  type FoundReservation,
} from '@forecourt/contracts';
import type { DecodedTransaction, FinalTransaction, Ledger } from '@forecourt/ledger';
import { checkObjectCount, checkSponsorship } from '@forecourt/policy/sponsorship';
import { LEDGER } from '@forecourt/runtime/ledger';
import { addLogFields } from '@forecourt/runtime/service';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { requireOwnSender } from '../access/caller-limits.js';
import { RememberedReservations } from '../reservations/remembered-reservations.js';
import { ClaimReservation } from './claim-reservation.js';
import { EnqueueExecution } from './enqueue-execution.js';
import type { Effects, ExecuteRequest } from './execute-request.js';
import { FindLanded } from './find-landed.js';
import { OutcomeWatchers } from './outcome-watchers.js';
import { RefusedExecutions } from './refused-executions.js';
import { VerifyUserSignature } from './verify-user-signature.js';
import { WaitForOutcome } from './wait-for-outcome.js';

/** Executes a user's transaction with the coins of a reservation. */
@Injectable()
export class ExecuteTx {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly verifyUserSignature: VerifyUserSignature,
    private readonly coinPool: CoinPoolClient,
    private readonly remembered: RememberedReservations,
    private readonly watchers: OutcomeWatchers,
    private readonly claimReservation: ClaimReservation,
    private readonly enqueueExecution: EnqueueExecution,
    private readonly waitForOutcome: WaitForOutcome,
    private readonly findLanded: FindLanded,
    private readonly refused: RefusedExecutions,
  ) {}

  /**
   * Returns the transaction's effects. The same call again finds the first one's outcome: a digest that is known is
   * answered before any other check (contract, "Same reservation and same transaction again"). Throws every error of the
   * contract's HTTP table for execute, `InvalidTransactionBytes`, `LedgerUnreachable`.
   */
  async run(request: ExecuteRequest): Promise<Effects> {
    const { reservationId, requestType } = request;
    const transaction = this.ledger.decodeTransaction(Buffer.from(request.txBytes, 'base64'));
    requireOwnSender(request.caller, transaction.sender);
    await this.verifyUserSignature.run(request.caller.name, transaction, request.userSig);
    const { digest } = transaction;
    addLogFields({ digest });
    // Before the claim, because the outcome may arrive before the claim's answer.
    const watch = this.watchers.watch(digest, reservationId);
    try {
      const waiter = { gateway: this.watchers.gateway, requestType };
      const question = { caller: request.caller.name, reservationId, digest, waiter };
      const reservation = await this.bind(request, transaction, question).catch((error: Error) => {
        if (!mayHaveLanded(error)) throw error;
        return this.findLanded.run(request.caller.name, digest, error);
      });
      if ('effects' in reservation) return reservation.effects;
      const isClaimed = reservation.state === 'claimed';
      // Also for a claim of an earlier call, whose gateway may have died before it enqueued a job: twice is still one job.
      if (isClaimed) await this.enqueueExecution.run(reservation, digest, request.caller.name);
      const outcome = this.waitForOutcome.run(watch, question, reservation);
      return await (isClaimed ? this.countRefusal(request.caller.name, outcome) : outcome);
    } finally {
      watch.close();
    }
  }

  /**
   * Claims the reservation, unless it is bound to this transaction already. A reservation that this gateway has handed out is
   * claimed without looking it up. If that claim is refused, the reservation is looked up after all: a digest that is known
   * is answered before any refusal. Where the reservation has left no trace, returns the transaction as the ledger has it.
   * Another caller's reservation is unknown.
   */
  private async bind(
    request: ExecuteRequest,
    transaction: DecodedTransaction,
    question: FindReservationMessage,
  ): Promise<FoundReservation | FinalTransaction> {
    const { caller, reservationId, digest, waiter } = question;
    const claim = async (reservation: FoundReservation) => {
      await this.refuseUnfit(transaction, reservation);
      return this.claimReservation.run(request, transaction, waiter, reservation);
    };
    const remembered = this.remembered.take(caller, reservationId);
    let refusal: Error | null = null;
    if (remembered) {
      try {
        return await claim(remembered);
      } catch (error) {
        refusal = error as Error;
      }
    }
    const reply = await this.coinPool.findReservation(question);
    if (!reply.found) {
      const unknown = new ForecourtError('RESERVATION_UNKNOWN', String(reservationId));
      if (reply.everHeld) throw unknown;
      return this.findLanded.run(caller, digest, unknown);
    }
    const { found } = reply;
    if (found.digest === digest && found.state !== 'reserved') return found;
    if (refusal === null) return claim(found);
    const isReleasedByIt = isDenial(refusal) && found.state === 'released';
    if (!isReleasedByIt) await this.refuseUnfit(transaction, found);
    throw refusal;
  }

  /** A refusal by validators has cost a signature and a submission. */
  private async countRefusal(caller: string, outcome: Promise<Effects>): Promise<Effects> {
    try {
      return await outcome;
    } catch (error) {
      const isRefused = error instanceof ForecourtError && error.code === 'REFUSED_BY_LEDGER';
      if (isRefused) await this.refused.count(caller);
      throw error;
    }
  }

  /** Everything about the transaction itself that can be refused before the reservation is bound. */
  private async refuseUnfit(
    transaction: DecodedTransaction,
    reservation: FoundReservation,
  ): Promise<void> {
    const { state, reservationId } = reservation;
    if (state === 'expired' || state === 'released') {
      throw new ForecourtError('RESERVATION_EXPIRED', String(reservationId));
    }
    if (state !== 'reserved') throw new ForecourtError('RESERVATION_USED', String(reservationId));
    checkObjectCount(transaction);
    const { epoch } = await this.ledger.status();
    checkSponsorship(transaction, reservation, epoch);
  }
}

/**
 * Whether a transaction that has landed may be refused with this error: a Redis that was restored from a backup has no
 * record of it, while its reservation has expired and its inputs are at later versions.
 */
function mayHaveLanded(error: Error): error is ForecourtError {
  return (
    error instanceof ForecourtError &&
    (error.code === 'RESERVATION_EXPIRED' || error.code === 'REFUSED_BY_LEDGER')
  );
}

/** A denial, which releases the reservation if the access rules say so. */
function isDenial(error: Error): boolean {
  return error instanceof ForecourtError && error.code === 'FORBIDDEN';
}
