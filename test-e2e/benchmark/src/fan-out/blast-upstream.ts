import type { LedgerEvent } from '@forecourt/contracts';
import { fastify } from 'fastify';
import { IotaNode, type SampleChain, type SampleCheckpoint } from '../iota-node.js';
import { address, moveEvent, SAMPLE_PACKAGE } from '../samples.js';

/** Checkpoints. */
const KEPT = 1_000;
const SENDERS = 20;
const PER_BURST = 200;
/** Between checkpoints: as often as those of the fastest networks. */
const PACE_MS = 50;

/** Its newest checkpoints, each of so many transactions with one event. */
class BlastChain implements SampleChain {
  latest = -1;
  readonly #kept = new Map<number, SampleCheckpoint>();
  readonly #checkpointOf = new Map<number, number>();
  #next = 0;

  /** Adds a checkpoint. */
  grow(count: number): void {
    const firstTxSeq = this.#next;
    this.#next += count;
    this.latest += 1;
    const transactions = Array.from({ length: count }, (_, index) => [eventOf(firstTxSeq + index)]);
    this.#kept.set(this.latest, { at: Date.now(), firstTxSeq, transactions });
    for (let txSeq = firstTxSeq; txSeq < this.#next; txSeq++) {
      this.#checkpointOf.set(txSeq, this.latest);
    }
    const dropped = this.#kept.get(this.latest - KEPT);
    if (dropped === undefined) return;
    this.#kept.delete(this.latest - KEPT);
    for (const index of dropped.transactions.keys()) {
      this.#checkpointOf.delete(dropped.firstTxSeq + index);
    }
  }

  checkpoint(number: number): SampleCheckpoint | undefined {
    return this.#kept.get(number);
  }

  checkpointOf(txSeq: number): number {
    return this.#checkpointOf.get(txSeq)!;
  }
}

function eventOf(txSeq: number): LedgerEvent {
  const sender = address(txSeq % SENDERS);
  const origin = { packageId: SAMPLE_PACKAGE, transactionModule: 'garage', sender };
  return moveEvent(origin, txSeq);
}

/**
 * A node that produces events on command. `POST /blast` with `{count, perSecond}` makes that many, each of
 * one of 20 senders; `perSecond` 0: at full speed.
 */
const server = fastify();
const chain = new BlastChain();
const node = new IotaNode(server, chain);

function seal(count: number): void {
  chain.grow(count);
  node.signal();
}

server.get('/health/ready', async () => ({ status: 'ok' }));
server.post<{ Body: { count: number; perSecond: number } }>('/blast', async ({ body }) => {
  const { count, perSecond } = body;
  const start = performance.now();
  for (let made = 0; made < count;) {
    const passed = (performance.now() - start) / 1_000;
    const due = perSecond === 0 ? made + PER_BURST : Math.floor(passed * perSecond);
    const next = Math.min(due, count);
    if (next > made) seal(next - made);
    made = next;
    await new Promise<void>((resolve) =>
      perSecond === 0 ? setImmediate(resolve) : setTimeout(resolve, PACE_MS),
    );
  }
  return { count };
});
seal(1);
await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
