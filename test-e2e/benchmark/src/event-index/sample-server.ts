import { fastify } from 'fastify';
import { IotaNode, type SampleChain, type SampleCheckpoint } from '../iota-node.js';
import { timeOf, TRANSACTIONS_PER_CHECKPOINT, transactionsOf } from './sample-ledger.js';

/** A node that serves the sample ledger up to a checkpoint. */
export class SampleServer implements SampleChain {
  readonly #server = fastify();
  readonly #node = new IotaNode(this.#server, this);

  /** The newest checkpoint. */
  constructor(public latest: number) {}

  start(port: number): Promise<string> {
    return this.#server.listen({ host: '127.0.0.1', port });
  }

  checkpoint(number: number): SampleCheckpoint {
    const firstTxSeq = number * TRANSACTIONS_PER_CHECKPOINT;
    return { at: timeOf(number), firstTxSeq, transactions: transactionsOf(number) };
  }

  checkpointOf(txSeq: number): number {
    return Math.floor(txSeq / TRANSACTIONS_PER_CHECKPOINT);
  }

  /** Adds a checkpoint. */
  grow(): void {
    this.latest += 1;
    this.#node.signal();
  }

  async stop(): Promise<void> {
    await this.#server.close();
  }
}
