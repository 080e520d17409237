import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import { countSlowVerifications, type DecodedTransaction, type Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeOrRefuse } from '../access/rate-limits.js';

const WINDOW_SECS = 10;
/** About half of a processor's time, at five milliseconds each. */
const MAX_SLOW = 1_000;

/** Verifies that the sender of a transaction has signed it. */
@Injectable()
export class VerifyUserSignature {
  /** A multisig can take a hundred milliseconds, during which the gateway does nothing else. */
  readonly #slow = new RateLimiterMemory({ points: MAX_SLOW, duration: WINDOW_SECS });

  constructor(
    @Inject(LEDGER)
    private readonly ledger: Pick<Ledger, 'verifyTransactionSignature' | 'unsupportedSignature'>,
  ) {}

  /** Throws INVALID_SIGNATURE, SIGNATURE_UNSUPPORTED, and OVERLOADED for a caller with too many that are slow to verify. */
  async run(caller: string, transaction: DecodedTransaction, userSig: string): Promise<void> {
    const slow = countSlowVerifications(userSig);
    if (slow > 0) await consumeOrRefuse(this.#slow, caller, 'OVERLOADED', slow);
    const { sender } = transaction;
    if (await this.ledger.verifyTransactionSignature(transaction, userSig, sender)) return;
    const unsupported = this.ledger.unsupportedSignature(userSig);
    if (unsupported === null) throw new ForecourtError('INVALID_SIGNATURE', sender);
    throw new ForecourtError('SIGNATURE_UNSUPPORTED', unsupported);
  }
}
