import { Injectable } from '@nestjs/common';
import type { DecodedTransaction } from '@forecourt/ledger';

/** What is asked before a transaction is claimed. */
export interface AccessRequest {
  readonly caller: string;
  readonly transaction: DecodedTransaction;
}

/** Decides what may be sponsored. Without rules everything that a valid token brings is allowed. */
@Injectable()
export class AccessController {
  /** Throws FORBIDDEN when the rules deny. */
  async decide(_request: AccessRequest): Promise<void> {}

  /** Reads the rules again; there are none to read. */
  async reload(): Promise<void> {}
}
