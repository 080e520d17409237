import { setTimeout as delay } from 'node:timers/promises';
import {
  buildProbe,
  type Signer,
  SigningFailed,
  type SigningFault,
  transactionIntentDigest,
} from '@forecourt/ledger';
import {
  FairBulkhead,
  gatewayLimits,
  NoPlace,
  rememberAnswer,
  RestAfterFailure,
} from '@forecourt/resilience';
import type { ServiceEntry, KeyService } from '../key-service.js';
import { KeyServiceError } from '../key-service-error.js';
import type { ObservedSigner, SignerObserver } from './signer-observer.js';

/** No caller waits longer for a signature; afterwards it has an answer, and no request is made. */
const SIGN_WITHIN_MS = 5_000;
const FIRST_PAUSE_MS = 50;
/** A repetition may help at once. */
const PASSING: ReadonlySet<SigningFault> = new Set(['unreachable', 'timeout', 'throttled']);
/** Only an operator can help. */
const LASTING: ReadonlySet<SigningFault> = new Set(['wrong_key']);
/** Answers of a service that works: a signature that only finds out about them would make them worse. */
const BUSY: ReadonlySet<SigningFault> = new Set(['throttled']);
const USUAL_RETRY_MS = 1_000;
const REST = {
  after: gatewayLimits.keyServiceFailures.default,
  firstMs: 1_000,
  longestMs: 15_000,
  jitter: 0.2,
  tries: 1,
};

export interface RemoteSignerOptions {
  readonly entry: ServiceEntry & { readonly address: string };
  /** Loads the code of its kind, at the first request. */
  readonly open: () => Promise<KeyService>;
  /** Requests for one signature; 1: the caller turns to another place of the key instead of a retry. */
  readonly attempts: number;
  readonly observer: SignerObserver;
}

interface SigningWork {
  readonly bytes: Uint8Array;
  /** The bytes are this process's own. */
  readonly isProbe: boolean;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
}

/**
 * Signs with a key that a service holds. Each signature is verified before it is used; requests are bounded
 * in time and number, and repeated; a service that fails is left alone for a while.
 */
export class RemoteSigner implements Signer {
  readonly address: string;
  readonly kinds;
  /** In it, no caller waits for the service. */
  readonly #rest = new RestAfterFailure(REST);
  readonly #places: FairBulkhead;
  readonly #observed: ObservedSigner;
  /** Opened once, and again after a failure. */
  readonly #service = rememberAnswer(() => this.options.open(), Infinity);
  /** Time of the latest signature, if nothing has failed since; on the clock of `performance.now()`. */
  #signedAt = -Infinity;

  constructor(private readonly options: RemoteSignerOptions) {
    const { address, kind, name, inFlight } = options.entry;
    this.address = address;
    this.kinds = [kind] as const;
    this.#places = new FairBulkhead(inFlight, { waiting: Infinity });
    this.#observed = { sponsor: address, name };
  }

  get outageMs(): number | null {
    return this.#rest.hasFailed ? this.#rest.remainingMs : null;
  }

  get inFlight(): number {
    return this.#places.running;
  }

  async check(idleMs = 0): Promise<void> {
    const isIdle = performance.now() - this.#signedAt >= idleMs;
    if (!isIdle && !this.#rest.hasFailed) return;
    await this.sign(await buildProbe(this.address), true);
  }

  signTransaction(bytes: Uint8Array): Promise<string> {
    return this.sign(bytes, false);
  }

  private async sign(bytes: Uint8Array, isProbe: boolean): Promise<string> {
    const deadline = performance.now() + SIGN_WITHIN_MS;
    this.requireAdmission();
    try {
      const run = () => this.repeat({ bytes, isProbe, deadline });
      return await this.#places.run([], run, { waitMs: deadline - performance.now() });
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error;
      this.#rest.forget();
      throw this.failed('overloaded', `${this.options.entry.inFlight} signatures are in flight`);
    }
  }

  private async repeat(work: SigningWork): Promise<string> {
    let earlier: KeyServiceError | null = null;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(work);
      if (typeof outcome === 'string') return outcome;
      // The call's time has run out: what the service said before is the cause.
      const failure: KeyServiceError = outcome.fault === 'timeout' && earlier ? earlier : outcome;
      earlier = failure;
      const { fault, message } = failure;
      const pauseMs = Math.max(failure.retryAfterMs, jittered(FIRST_PAUSE_MS * 2 ** attempt));
      const isOver =
        attempt >= this.options.attempts ||
        !PASSING.has(fault) ||
        performance.now() + pauseMs >= work.deadline;
      if (isOver || this.#rest.hasFailed) {
        throw this.failed(fault, message, failure.retryAfterMs);
      }
      await delay(pauseMs);
      this.requireAdmission();
    }
  }

  /** The serialized signature, or the reason for its absence. */
  private async attempt({
    bytes,
    isProbe,
    deadline,
  }: SigningWork): Promise<string | KeyServiceError> {
    const { entry, observer } = this.options;
    const beganAt = performance.now();
    const ms = Math.max(1, Math.min(entry.timeoutMs, Math.floor(deadline - beganAt)));
    const outcome = await this.request(bytes, ms).catch((error: unknown) => toServiceError(error));
    const seconds = (performance.now() - beganAt) / 1_000;
    if (typeof outcome === 'string') {
      this.#signedAt = performance.now();
      observer.onRequest(this.#observed, 'signed', seconds);
      if (this.#rest.hasFailed) observer.onOutage(this.#observed, null);
      this.#rest.succeed();
      return outcome;
    }
    const { fault, message } = outcome;
    observer.onRequest(this.#observed, fault, seconds);
    if (!BUSY.has(fault)) this.#signedAt = -Infinity;
    // A service may deny one transaction, which a user has chosen, and sign others: a check finds out.
    const wasResting = this.#rest.hasFailed;
    if (fault === 'refused' && !isProbe && !wasResting) return outcome;
    this.#rest.fail({ isLasting: LASTING.has(fault) });
    const hasBegun = !wasResting && this.#rest.hasFailed;
    if (hasBegun) observer.onOutage(this.#observed, this.failed(fault, message));
    return outcome;
  }

  private async request(bytes: Uint8Array, ms: number): Promise<string> {
    const digest = transactionIntentDigest(bytes);
    const { key, signature } = await within(ms, async (signal) => {
      const service = await this.#service();
      return service.sign({ bytes, digest }, signal);
    });
    if (key.address !== this.address) {
      throw new KeyServiceError(
        'wrong_key',
        `its key belongs to ${key.address}, not to ${this.address}`,
      );
    }
    const fault = key.findFault(digest, signature);
    if (fault !== null) throw new KeyServiceError(fault, FAULTS[fault]);
    return key.serialize(signature);
  }

  private requireAdmission(): void {
    if (this.#rest.begin()) return;
    throw this.failed('unreachable', 'it failed before and is not asked at the moment');
  }

  private failed(fault: SigningFault, detail: string, retryAfterMs = 0): SigningFailed {
    const pauseMs = Math.max(retryAfterMs, this.#rest.remainingMs, USUAL_RETRY_MS);
    return new SigningFailed(this.options.entry.name, fault, detail, Math.ceil(pauseMs));
  }
}

const FAULTS = {
  malformed: 'the signature does not have 64 bytes',
  high_s: 'the signature has a high s, which the ledger refuses',
  wrong_signature: 'the signature does not verify',
} as const;

/**
 * Rejects after `ms`, also where the service ignores the signal. Not `AbortSignal.timeout`, whose timer
 * outlives the request and then makes an error.
 */
async function within<T>(ms: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const controller = new AbortController();
  const expire = () => {
    const late = new KeyServiceError('timeout', 'no answer in time');
    controller.abort(late);
    reject(late);
  };
  // After a pause of this process, answers that have arrived meanwhile are read first.
  const timer = setTimeout(() => setImmediate(expire), ms);
  try {
    return await Promise.race([run(controller.signal), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Messages of other errors may quote requests, so only their name and code are kept. */
function toServiceError(error: unknown): KeyServiceError {
  if (error instanceof KeyServiceError) return error;
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') {
    return new KeyServiceError('timeout', 'no answer in time');
  }
  return new KeyServiceError('unreachable', typeof code === 'string' ? code : String(name));
}

function jittered(ms: number): number {
  return ms * (0.5 + Math.random());
}
