import {
  type FoundReservation,
  ForecourtError,
  type RequestType,
  type Waiter,
} from '@forecourt/contracts';
import type { DecodedTransaction, Ledger } from '@forecourt/ledger';
import type { Logger } from '@forecourt/service-host';
import { checkSponsorship } from '@forecourt/sponsorship';
import type { AccessController } from '../access/access-controller.js';
import type { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { EnqueueExecution } from './enqueue-execution.js';
import type { OutcomeWatchers } from './outcome-watchers.js';
import { waitForOutcome } from './wait-for-outcome.js';

/** What executing needs. */
export interface ExecuteParts {
  /** Names this process to those who reply. */
  readonly gateway: string;
  readonly ledger: Ledger;
  readonly coinPool: CoinPoolClient;
  readonly access: AccessController;
  readonly enqueue: EnqueueExecution;
  readonly watchers: OutcomeWatchers;
  readonly waitMs: number;
  readonly logger: Logger;
}

export interface ExecuteRequest {
  readonly requestId: string;
  readonly caller: string;
  readonly reservationId: number;
  /** Base64. */
  readonly txBytes: string;
  /** Base64. */
  readonly userSig: string;
  readonly requestType: RequestType;
}

export type Effects = Record<string, unknown>;

/**
 * Executes a user's transaction with the coins of a reservation and answers its effects. The same call again finds the
 * first one's outcome: a digest that is known is answered before any other check (contract, "same reservation and same
 * transaction again"). Raises every error of the contract's HTTP table for execute.
 */
export async function executeTx(parts: ExecuteParts, request: ExecuteRequest): Promise<Effects> {
  const transaction = parts.ledger.decodeTransaction(Buffer.from(request.txBytes, 'base64'));
  await verifyUserSignature(parts, transaction, request.userSig);
  const { digest } = transaction;
  const waiter: Waiter = { gateway: parts.gateway, requestType: request.requestType };
  // From here on: a reply may come before the call that asks for it has returned.
  const watch = parts.watchers.watch(digest, request.reservationId);
  try {
    const { caller, reservationId } = request;
    const reply = await parts.coinPool.findReservation({ caller, reservationId, digest, waiter });
    if (!reply.found) {
      return await answerForgotten(parts, request, digest, reply.everHeld);
    }
    let known = reply.found;
    if (known.digest !== digest || known.state === 'reserved') {
      await refuseUnfit(parts, request, transaction, known);
      known = await claim(parts, request, digest, waiter, known);
    }
    return await waitForOutcome(parts, request, watch, known, digest);
  } finally {
    watch.close();
  }
}

async function verifyUserSignature(
  { ledger }: ExecuteParts,
  transaction: DecodedTransaction,
  userSig: string,
): Promise<void> {
  if (!(await ledger.verifyTransactionSignature(transaction, userSig, transaction.sender))) {
    throw new ForecourtError('INVALID_SIGNATURE');
  }
}

/** A reservation that left no trace: the ledger still knows what its transaction did. Somebody else's is unknown. */
async function answerForgotten(
  { ledger }: ExecuteParts,
  { reservationId }: ExecuteRequest,
  digest: string,
  everHeld: boolean,
): Promise<Effects> {
  const landed = everHeld ? null : await ledger.findTransaction(digest);
  if (!landed) throw new ForecourtError('RESERVATION_UNKNOWN', String(reservationId));
  return landed.effects;
}

/** Everything that can be refused before the reservation is bound. */
async function refuseUnfit(
  { ledger, access, logger }: ExecuteParts,
  { caller, reservationId }: ExecuteRequest,
  transaction: DecodedTransaction,
  reservation: FoundReservation,
): Promise<void> {
  if (reservation.state === 'expired' || reservation.state === 'released') {
    throw new ForecourtError('RESERVATION_EXPIRED', String(reservationId));
  }
  if (reservation.state !== 'reserved') {
    throw new ForecourtError('RESERVATION_USED', String(reservationId));
  }
  const { epoch } = await ledger.status();
  checkSponsorship(transaction, reservation, epoch);
  await access.decide({ caller, transaction }, logger);
  const unfit = await ledger.refuseUnfitInputs(transaction);
  if (unfit !== null) throw new ForecourtError('REFUSED_BY_LEDGER', unfit);
}

/** Binds the reservation; answers where it stands, which is where another call has put it if that was first. */
async function claim(
  parts: ExecuteParts,
  { caller, reservationId, txBytes, userSig, requestId }: ExecuteRequest,
  digest: string,
  waiter: Waiter,
  reservation: FoundReservation,
): Promise<FoundReservation> {
  const claimed = await parts.coinPool.claimReservation({
    ...{ caller, reservationId, digest, txBytes, userSig, waiter },
  });
  if (!claimed.claimed) return claimed.found;
  parts.logger.info({ requestId, caller, reservationId, digest }, 'reservation claimed');
  const { fence, sponsor } = claimed;
  return { ...reservation, state: 'claimed', digest, fence, sponsor, refusal: null };
}
