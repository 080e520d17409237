import {
  type FoundReservation,
  ForecourtError,
  type RequestType,
  type ExpectedUsage,
  type Waiter,
} from '@forecourt/contracts';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { type DecodedTransaction, largestSponsorCost, type Ledger } from '@forecourt/ledger';
import { addLogFields, type Logger } from '@forecourt/runtime/service';
import { checkGasPrice, checkObjectCount, checkSponsorship } from '@forecourt/policy/sponsorship';
import type { Caller } from '@forecourt/policy/tokens';
import type { AccessController } from '../access/access-controller.js';
import type { AccessQuestion } from '../access/access-question.js';
import { type CallerLimits, limitsOf } from '../authorization/caller-limits.js';
import type { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { EnqueueExecution } from './enqueue-execution.js';
import type { InputChecks } from './input-checks.js';
import type { QueueRoom } from './queue-room.js';
import type { OutcomeWatchers } from './outcome-watchers.js';
import { waitForOutcome } from './wait-for-outcome.js';

/** What executing needs. */
export interface ExecuteParts {
  /** Names this process to those who reply. */
  readonly gateway: string;
  readonly ledger: Ledger;
  readonly coinPool: CoinPoolClient;
  readonly access: AccessController;
  /** Of every caller that sets none of its own. */
  readonly limits: CallerLimits;
  readonly enqueue: EnqueueExecution;
  readonly queueRoom: QueueRoom;
  readonly inputChecks: InputChecks;
  /** How many times the reference gas price a transaction may pay. */
  readonly maxGasPriceRatio: number;
  readonly watchers: OutcomeWatchers;
  readonly waitMs: number;
  /** On the clock of `performance.now()`: nothing is waited for beyond it. */
  readonly answerBy: () => number;
  readonly logger: Logger;
}

export interface ExecuteRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly reservationId: number;
  /** Base64. */
  readonly txBytes: string;
  /** Base64. */
  readonly userSig: string;
  readonly requestType: RequestType;
  /** A header of the request by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

export type Effects = Record<string, unknown>;

/** A counter that stands otherwise than supposed is rare, and rarer each time. */
const MOST_DECISIONS = 20;

/**
 * Executes a user's transaction with the coins of a reservation and answers its effects. The same call again finds the
 * first one's outcome: a digest that is known is answered before any other check (contract, "same reservation and same
 * transaction again"). Raises every error of the contract's HTTP table for execute.
 */
export async function executeTx(parts: ExecuteParts, request: ExecuteRequest): Promise<Effects> {
  const transaction = parts.ledger.decodeTransaction(Buffer.from(request.txBytes, 'base64'));
  await verifyUserSignature(parts, transaction, request.userSig);
  const { digest } = transaction;
  addLogFields({ digest });
  const waiter: Waiter = { gateway: parts.gateway, requestType: request.requestType };
  // From here on: a reply may come before the call that asks for it has returned.
  const watch = parts.watchers.watch(digest, request.reservationId);
  try {
    const { reservationId } = request;
    const caller = request.caller.name;
    const reply = await parts.coinPool.findReservation({ caller, reservationId, digest, waiter });
    if (!reply.found) {
      return await answerForgotten(parts, request, digest, reply.everHeld);
    }
    let known = reply.found;
    if (known.digest !== digest || known.state === 'reserved') {
      await refuseUnfit(parts, request, transaction, known);
      known = await claim(parts, request, transaction, waiter, known);
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

/** Everything about the transaction itself that can be refused before the reservation is bound. */
async function refuseUnfit(
  { ledger }: ExecuteParts,
  { reservationId }: ExecuteRequest,
  transaction: DecodedTransaction,
  reservation: FoundReservation,
): Promise<void> {
  if (reservation.state === 'expired' || reservation.state === 'released') {
    throw new ForecourtError('RESERVATION_EXPIRED', String(reservationId));
  }
  if (reservation.state !== 'reserved') {
    throw new ForecourtError('RESERVATION_USED', String(reservationId));
  }
  checkObjectCount(transaction);
  const { epoch } = await ledger.status();
  checkSponsorship(transaction, reservation, epoch);
}

/**
 * Binds the reservation if the access rules allow the transaction, its gas price is bearable and validators would accept
 * its inputs; answers where it stands, which is where another call has put it if that was first.
 */
async function claim(
  parts: ExecuteParts,
  request: ExecuteRequest,
  transaction: DecodedTransaction,
  waiter: Waiter,
  reservation: FoundReservation,
): Promise<FoundReservation> {
  const { caller, reservationId, txBytes, userSig, requestId } = request;
  const { digest } = transaction;
  await parts.queueRoom.require();
  const { referenceGasPrice } = await parts.ledger.status();
  const question = askAccess(parts, request, transaction, reservation, referenceGasPrice);
  let usage = await decide(parts, request, question);
  checkGasPrice(transaction, referenceGasPrice, parts.maxGasPriceRatio, question.allowsGasPrice);
  const exclusive = await parts.inputChecks.check(caller.name, reservationId, transaction);
  const quarantineLimit = limitsOf(caller, parts.limits).quarantine;
  const inputs = exclusive.map(({ objectId, version }) => `${objectId}:${version}`);
  passFailpoint('gateway:before-claim');
  for (let tries = 0; tries < MOST_DECISIONS; tries++) {
    const claimed = await parts.coinPool.claimReservation({
      caller: caller.name,
      reservationId,
      digest,
      txBytes,
      userSig,
      waiter,
      rule: question.ruleName,
      inputs,
      usage,
      quarantineLimit,
    });
    if (claimed.claimed) {
      passFailpoint('gateway:after-claim');
      question.accepted();
      parts.logger.info(
        { requestId, caller: caller.name, reservationId, digest },
        'reservation claimed',
      );
      const { fence, sponsor } = claimed;
      return { ...reservation, state: 'claimed', digest, fence, sponsor, refusal: null };
    }
    if (claimed.found) return claimed.found;
    question.learn(claimed.usages);
    usage = await decide(parts, request, question);
  }
  throw new ForecourtError('SPENDING_LIMIT', 'too many transactions are counted at once');
}

function askAccess(
  { access, ledger }: ExecuteParts,
  { caller, reservationId, txBytes, userSig, requestId, header }: ExecuteRequest,
  transaction: DecodedTransaction,
  { gasBudget, durationSecs, mayLeaveDust }: FoundReservation,
  referenceGasPrice: bigint,
): AccessQuestion {
  const subject = {
    caller: caller.name,
    reservation: { gasBudget, durationSecs },
    at: new Date(),
    transaction,
    reservationId,
    txBytes,
    userSig,
    header,
    referenceGasPrice,
    largestCost: largestSponsorCost(transaction, mayLeaveDust),
    transactionJson: () => ledger.transactionJson(transaction),
  };
  return access.ask(caller, subject, requestId);
}

/** What the claim is to suppose of counters. A denial gives the reservation back where the rules say so. */
async function decide(
  { coinPool, logger }: ExecuteParts,
  { caller, reservationId, requestId }: ExecuteRequest,
  question: AccessQuestion,
): Promise<readonly ExpectedUsage[]> {
  try {
    return await question.decide();
  } catch (error) {
    const isDenied = error instanceof ForecourtError && error.code === 'FORBIDDEN';
    if (isDenied && question.freesDenied) {
      await coinPool
        .releaseReservation({ caller: caller.name, reservationId })
        .catch((cause: unknown) =>
          logger.warn(
            { requestId, reservationId, cause: String(cause) },
            'a denied reservation is not given back; it ends at its deadline',
          ),
        );
    }
    throw error;
  }
}
