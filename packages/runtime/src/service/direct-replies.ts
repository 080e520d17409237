import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ExecutionReply } from '@forecourt/contracts';

type Receive = (reply: ExecutionReply) => void;

/**
 * The requests of this process that wait for outcomes of transactions. An executor in the same process passes
 * its replies on without Redis.
 */
export class DirectReplies {
  /** Names this process to executors. */
  readonly gateway: string = randomUUID();
  /** Emits each reply under its digest; several requests may wait for the same one. */
  readonly #replies = new EventEmitter<Record<string, [ExecutionReply]>>().setMaxListeners(0);

  /** Has the replies about a transaction received, until the returned function is called. */
  await(digest: string, receive: Receive): () => void {
    this.#replies.on(digest, receive);
    return () => this.#replies.off(digest, receive);
  }

  isAwaited(digest: string): boolean {
    return this.#replies.listenerCount(digest) > 0;
  }

  /** Passes a reply on to every request that waits for it. */
  pass(reply: ExecutionReply): void {
    this.#replies.emit(reply.digest, reply);
  }
}
