import type { Signer } from '@forecourt/ledger';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Signers } from './signers.js';

const CHECK_EVERY_MS = 15_000;
/** Interval of the search for signers that are to be checked: one with an outage decides itself when it asks again. */
const LOOK_EVERY_MS = 1_000;

/**
 * Has every key service sign something regularly, so that its outage is known before a transaction needs a signature,
 * and its end soon. Idle where all keys are local.
 */
@Injectable()
export class SignerChecks implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  readonly #lastChecks = new WeakMap<Signer, number>();
  readonly #checking = new Set<Signer>();

  constructor(private readonly signers: Signers) {}

  onApplicationBootstrap(): void {
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  private look(): void {
    for (const signer of this.signers.configured) {
      if (signer.kinds.every((kind) => kind === 'local') || this.#checking.has(signer)) continue;
      const isDue =
        performance.now() >= (this.#lastChecks.get(signer) ?? -Infinity) + CHECK_EVERY_MS;
      if (isDue || signer.outageMs !== null) void this.check(signer);
    }
  }

  private async check(signer: Signer): Promise<void> {
    this.#checking.add(signer);
    this.#lastChecks.set(signer, performance.now());
    // Its observer reports failures.
    await signer.check().catch(() => undefined);
    this.#checking.delete(signer);
  }
}
