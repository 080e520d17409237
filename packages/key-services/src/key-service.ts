import type { SigningFault, SponsorPublicKey } from '@forecourt/ledger';
import type { ServiceEntry } from './key-entries.js';

/** A transaction that a service is to sign. It signs the digest, or hashes the transaction itself. */
export interface SigningRequest {
  /** BCS of the transaction. */
  readonly bytes: Uint8Array;
  /** The transaction's intent digest. */
  readonly digest: Uint8Array;
}

export interface ServiceSignature {
  readonly key: SponsorPublicKey;
  /** 64 bytes of Ed25519, or `r‖s` of secp256k1. */
  readonly signature: Uint8Array;
}

/** A service that holds one key. Every method throws `KeyServiceError`. Nothing that it answers is trusted. */
export interface KeyService {
  /** The sponsor's address that belongs to the key. */
  readAddress(signal: AbortSignal): Promise<string>;
  sign(request: SigningRequest, signal: AbortSignal): Promise<ServiceSignature>;
}

/** Prepares a service; calls nothing. */
export type OpenKeyService = (entry: ServiceEntry) => KeyService;

/** Why a service has not answered as it should. The message never contains a secret. */
export class KeyServiceError extends Error {
  override readonly name = 'KeyServiceError';

  constructor(
    readonly fault: SigningFault,
    message: string,
    /** The service asks not to be called for this long. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}
