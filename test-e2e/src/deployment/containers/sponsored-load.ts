import { setTimeout as delay } from 'node:timers/promises';
import type { IotaClient } from '@iota/iota-sdk/client';
import type { Gateways } from '../../chaos/call-gateway.js';
import type { Seeded } from '../../support/seeded.js';
import type { SponsoredCall } from '../../chaos/sponsored-call.js';
import { runClient } from '../../chaos/sponsoring-client.js';

const CLIENTS = 4;
const LOOK_EVERY_MS = 50;
/** Time for requests under way after the end of the load. */
const PATIENCE_MS = 120_000;

/** The behaviours whose clients wait for every answer. */
const BEHAVIOURS = { plain: 40, impatient: 10, twice: 8, costly: 6, forgetful: 4 };
const control = {
  lock: () => Promise.reject(new Error('the ledger in a container locks nothing')),
};

/** Clients that sponsor one transaction after another, and repeat each call until its answer is definite. */
export class SponsoredLoad {
  readonly calls: SponsoredCall[] = [];
  readonly #stopping = new AbortController();
  readonly #givenUp = new AbortController();
  readonly #clients: Promise<unknown>;

  constructor(
    readonly gateways: Gateways,
    ledger: IotaClient,
    seeded: Seeded,
    interrupted: AbortSignal,
  ) {
    const parts = {
      gateways,
      ledger,
      control,
      calls: this.calls,
      behaviours: BEHAVIOURS,
      stopping: AbortSignal.any([this.#stopping.signal, interrupted]),
      givenUp: AbortSignal.any([this.#givenUp.signal, interrupted]),
    };
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      runClient(parts, client, seeded.branch()),
    );
    this.#clients = Promise.all(clients).catch((error: unknown) => {
      gateways.surprises.push(`the load ended: ${String(error)}`);
    });
  }

  /** Transactions that were answered with effects. */
  get executed(): number {
    return this.calls.filter(isExecuted).length;
  }

  /** The time in ms until a transaction that is requested from now on is executed; null: too long. */
  async untilServed(timeoutMs: number): Promise<number | null> {
    const since = performance.now();
    const already = this.calls.length;
    while (!this.calls.slice(already).some(isExecuted)) {
      if (performance.now() - since > timeoutMs) return null;
      await delay(LOOK_EVERY_MS);
    }
    return performance.now() - since;
  }

  /** Begins no new transactions, and waits for a limited time until everything under way is answered. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const late = setTimeout(() => this.#givenUp.abort(), PATIENCE_MS);
    await this.#clients;
    clearTimeout(late);
  }
}

const isExecuted = ({ answers }: SponsoredCall) => answers[0]?.kind === 'executed';
