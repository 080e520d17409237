import type { SponsorPublicKey } from '@forecourt/ledger';

/** A transaction that a service is to sign. It signs the digest, or hashes the transaction itself. */
interface SigningRequest {
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

/**
 * A service that holds one key. Every method throws `KeyServiceError`. Nothing that it answers is trusted.
 */
export interface KeyService {
  /** The sponsor's address that belongs to the key. */
  readAddress(signal: AbortSignal): Promise<string>;
  sign(request: SigningRequest, signal: AbortSignal): Promise<ServiceSignature>;
}

/** Parameters of URLs of every kind. */
type UsualParameter = 'address' | 'timeout-ms' | 'in-flight';

/** A key in a service, of a kind whose URLs take the parameters `P`. */
export interface ServiceEntry<P extends string = string> {
  /** The scheme of its URL. */
  readonly kind: string;
  /** The URL without its parameters, which may be secret: for logs, errors and metrics. */
  readonly name: string;
  /** Of the sponsor; null where the entry does not name it. */
  readonly address: string | null;
  /** `http:` or `https:`. */
  readonly protocol: string;
  /** `host:port`; empty where the kind has a usual one. */
  readonly host: string;
  /** Decoded, without slashes at its ends. */
  readonly path: string;
  readonly parameters: Readonly<Partial<Record<UsualParameter | P, string>>>;
  /** Of one request, in ms. */
  readonly timeoutMs: number;
  /** Most signatures in flight. */
  readonly inFlight: number;
}

/**
 * Where an operator's keys can be, and the form of the URLs that name them. `P`: names of their parameters.
 */
export interface KeyServiceKind<P extends string = string> {
  /** Whether its URLs name a host. */
  readonly needsHost: boolean;
  /** Whether it is reached without TLS where the URL says so, for a service in the same pod or host. */
  readonly mayBePlain: boolean;
  /** The form of a path that names a key. */
  readonly path: RegExp;
  /** Those that end in `-file` name a file with the value. */
  readonly parameters: readonly P[];
  /** Prepares a service; calls nothing. The clients of clouds are large: they are loaded here. */
  open(entry: ServiceEntry<P>): KeyService | Promise<KeyService>;
}
