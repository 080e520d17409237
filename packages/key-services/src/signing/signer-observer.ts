import type { SigningFailed, SigningFault } from '@forecourt/ledger';

/** Identifies one place of a sponsor's key. */
export interface ObservedSigner {
  readonly sponsor: string;
  /** Without secrets. */
  readonly name: string;
}

/** Learns of the requests to key services, and of their outages. */
export interface SignerObserver {
  onRequest(signer: ObservedSigner, outcome: SigningFault | 'signed', seconds: number): void;
  /** Null: it signs again. */
  onOutage(signer: ObservedSigner, failure: SigningFailed | null): void;
}
