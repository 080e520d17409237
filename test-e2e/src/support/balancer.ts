import { setTimeout as delay } from 'node:timers/promises';
import type { Application } from './application.js';

const ASK_EVERY_MS = 100;
const NOBODY_READY_MS = 60_000;

/** Acts as a load balancer in front of several gateways: it sends requests to those that are ready. */
export class Balancer {
  readonly #ready = new Set<Application>();
  readonly #stopping = new AbortController();
  readonly #watching: Promise<unknown>;
  #next = 0;

  constructor(private readonly applications: readonly Application[]) {
    this.#watching = Promise.all(applications.map((application) => this.watch(application)));
  }

  /** Chooses the next ready gateway in turn; waits while none is ready. Throws `Error` after a timeout. */
  async choose(): Promise<Application> {
    const deadline = performance.now() + NOBODY_READY_MS;
    while (this.#ready.size === 0) {
      if (performance.now() > deadline) {
        throw new Error(`no gateway was ready for ${NOBODY_READY_MS} ms`);
      }
      await delay(ASK_EVERY_MS / 4);
    }
    const ready = this.applications.filter((application) => this.#ready.has(application));
    return ready[this.#next++ % ready.length]!;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }

  private async watch(application: Application): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const isReady = await fetch(`${application.url}/health/ready`).then(
        async (response) => {
          await response.arrayBuffer();
          return response.ok;
        },
        () => false,
      );
      if (isReady) this.#ready.add(application);
      else this.#ready.delete(application);
      await delay(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
