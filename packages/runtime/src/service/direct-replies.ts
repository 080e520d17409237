import { randomUUID } from 'node:crypto';
import type { ExecutionReply } from '@forecourt/contracts';
import type { DecodedTransaction } from '@forecourt/ledger';

/** A transaction whose bytes, in base64, this process has decoded and checked. */
export interface ReadTransaction {
  readonly txBytes: string;
  readonly transaction: DecodedTransaction;
}

/** A request that waits for the outcome of a transaction. */
interface AwaitingRequest {
  readonly receive: (reply: ExecutionReply) => void;
  /** Absent: it knows the digest only. */
  readonly read?: ReadTransaction;
}

/**
 * The requests of this process that wait for outcomes of transactions. An executor in the same process passes
 * its replies on without Redis, and decodes no transaction again that such a request has decoded.
 */
export class DirectReplies {
  /** Names this process to executors. */
  readonly gateway: string = randomUUID();
  /** By digest; several requests may wait for the same one. */
  readonly #awaiting = new Map<string, Set<AwaitingRequest>>();

  /** Has the replies about a transaction received, until the returned function is called. */
  await(digest: string, request: AwaitingRequest): () => void {
    const requests = this.#awaiting.get(digest) ?? new Set();
    this.#awaiting.set(digest, requests.add(request));
    return () => {
      requests.delete(request);
      if (requests.size === 0 && this.#awaiting.get(digest) === requests) {
        this.#awaiting.delete(digest);
      }
    };
  }

  isAwaited(digest: string): boolean {
    return this.#awaiting.has(digest);
  }

  /** A transaction with exactly these bytes; null: no request that waits for it has decoded them. */
  findRead(digest: string, txBytes: string): DecodedTransaction | null {
    for (const { read } of this.#awaiting.get(digest) ?? []) {
      if (read?.txBytes === txBytes) return read.transaction;
    }
    return null;
  }

  /** Passes a reply on to every request that waits for it. */
  pass(reply: ExecutionReply): void {
    for (const { receive } of [...(this.#awaiting.get(reply.digest) ?? [])]) receive(reply);
  }
}
