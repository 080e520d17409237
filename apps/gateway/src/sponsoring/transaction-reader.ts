import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError, type RequestType } from '@forecourt/contracts';
import {
  type AbstractAccount,
  countSlowVerifications,
  type DecodedTransaction,
  type Ledger,
  type LedgerStatus,
} from '@forecourt/ledger';
import {
  checkObjectCount,
  checkSponsorship,
  type SponsoredReservation,
} from '@forecourt/policy/sponsorship';
import { gatewayLimits, TokenBuckets } from '@forecourt/resilience';
import { LEDGER } from '@forecourt/runtime/ledger';
import { requireOwnSender } from '../access/caller-limits.js';
import type { SponsoringCall } from './reservations.service.js';
import { decodeTxBytes } from './transaction-fields.js';
import { consumeOrRefuse } from '../access/consume-or-refuse.js';

const WINDOW_SECS = 10;
/** About half of a processor's time, at five milliseconds each. */
const MAX_SLOW = gatewayLimits.slowSignatures.default;

/** Returns a header of the request by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined;

/** A transaction that its sender has signed, or that the authenticator of its abstract account authorises. */
export interface SignedTransaction extends DecodedTransaction {
  /** Set for an abstract account: only the ledger can verify its authenticator. */
  readonly account?: AbstractAccount;
}

/** A call of execute, its body validated. */
export interface ExecuteRequest extends SponsoringCall {
  readonly reservationId: number;
  /** Base64. */
  readonly txBytes: string;
  /** Base64. */
  readonly userSig: string;
  readonly requestType: RequestType;
  readonly header: ReadHeader;
}

/** Reads the transactions that requests carry, and refuses those that no operator could want to sponsor. */
@Injectable()
export class TransactionReader {
  /** A multisig can take a hundred milliseconds, during which the gateway does nothing else. */
  readonly #slow = TokenBuckets.within(WINDOW_SECS, MAX_SLOW);

  constructor(@Inject(LEDGER) private readonly ledger: Ledger) {}

  /**
   * Decodes a transaction that its sender has signed, or that names its sender's abstract account as
   * authority. Throws `InvalidTransactionBytes`, FORBIDDEN, INVALID_SIGNATURE, SIGNATURE_UNSUPPORTED, and
   * OVERLOADED for a caller with too many signatures that are slow to verify.
   */
  async readSigned(request: ExecuteRequest): Promise<SignedTransaction> {
    const { caller, txBytes, userSig, refusal } = request;
    const transaction = decodeTxBytes(this.ledger, txBytes);
    const { digest, sender } = transaction;
    refusal.digest = digest;
    refusal.sender = sender;
    refusal.transaction = txBytes;
    requireOwnSender(caller, sender);
    const account = this.ledger.abstractAccount(userSig);
    if (account?.address === sender) return { ...transaction, account };
    const slow = countSlowVerifications(userSig);
    if (slow > 0) await consumeOrRefuse(this.#slow, caller.name, 'OVERLOADED', slow);
    const isValid = await this.ledger.verifyTransactionSignature(transaction, userSig, sender);
    if (isValid) return transaction;
    const unsupported = this.ledger.unsupportedSignature(userSig);
    if (unsupported === null) throw new ForecourtError('INVALID_SIGNATURE', sender);
    throw new ForecourtError('SIGNATURE_UNSUPPORTED', unsupported);
  }

  /**
   * Returns the ledger's status, by which it has checked the transaction. Throws TOO_MANY_OBJECTS,
   * `LedgerUnreachable`, and the errors of `checkSponsorship` for a transaction that does not match its
   * reservation.
   */
  async requireFit(
    transaction: DecodedTransaction,
    reservation: SponsoredReservation,
  ): Promise<LedgerStatus> {
    checkObjectCount(transaction);
    const status = await this.ledger.status();
    checkSponsorship(transaction, reservation, status.epoch);
    return status;
  }
}
