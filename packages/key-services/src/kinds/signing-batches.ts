import type { ServiceSignature } from '../key-service.js';
import type { KeyServiceError } from '../key-service-error.js';

const MAX_BATCH = 64;
/** Calls at the same time; requests that arrive while all are under way share the next one. */
const MAX_CALLS = 8;

interface Waiting {
  readonly digest: Uint8Array;
  readonly signal: AbortSignal;
  readonly resolve: (signature: ServiceSignature) => void;
  readonly reject: (error: unknown) => void;
}

type SignAll = (
  digests: readonly Uint8Array[],
  signal: AbortSignal,
) => Promise<readonly (ServiceSignature | KeyServiceError)[]>;

/** Signs requests of the same moment with one call. */
export class SigningBatches {
  #waiting: Waiting[] = [];
  #calls = 0;

  constructor(private readonly signAll: SignAll) {}

  sign(digest: Uint8Array, signal: AbortSignal): Promise<ServiceSignature> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ digest, signal, resolve, reject });
      // At the end of the tick, so that requests of one tick share a call.
      if (this.#waiting.length === 1) queueMicrotask(() => this.begin());
    });
  }

  private begin(): void {
    while (this.#calls < MAX_CALLS && this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH).filter(({ signal }) => !signal.aborted);
      if (batch.length === 0) continue;
      this.#calls += 1;
      void this.call(batch).finally(() => {
        this.#calls -= 1;
        this.begin();
      });
    }
  }

  private async call(batch: readonly Waiting[]): Promise<void> {
    try {
      // Its latest member has the most time.
      const results = await this.signAll(
        batch.map(({ digest }) => digest),
        batch.at(-1)!.signal,
      );
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index]!;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
