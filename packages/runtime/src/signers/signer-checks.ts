import type { Signer } from '@forecourt/ledger';
import { onTicks } from '@forecourt/resilience';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Signers } from './signers.js';

/** Longest time without a signature: each one costs money at most services. */
const IDLE_MS = 60_000;
/**
 * Interval of the search for idle and failing services; one with an outage decides itself when it asks again.
 */
const LOOK_EVERY_MS = 1_000;

/**
 * Has key services that are idle or have failed sign something, so that an outage is known before a
 * transaction needs a signature, and its end soon. Does nothing for keys in this process.
 */
@Injectable()
export class SignerChecks implements OnApplicationBootstrap, OnApplicationShutdown {
  #stop = () => {};
  readonly #checking = new Set<Signer>();

  constructor(private readonly signers: Signers) {}

  onApplicationBootstrap(): void {
    this.look();
    this.#stop = onTicks(LOOK_EVERY_MS, () => this.look());
  }

  onApplicationShutdown(): void {
    this.#stop();
  }

  private look(): void {
    for (const signer of this.signers.configured) {
      if (signer.kinds.every((kind) => kind === 'local') || this.#checking.has(signer)) continue;
      void this.check(signer);
    }
  }

  private async check(signer: Signer): Promise<void> {
    this.#checking.add(signer);
    // Its observer reports failures.
    await signer.check(IDLE_MS).catch(() => undefined);
    this.#checking.delete(signer);
  }
}
