import {
  compareEventIds,
  type EventPage,
  type GetEventsRequest,
  readGetEvents,
  type StoredEventRecord,
} from '@forecourt/contracts';
import { registerRpcRoute, type RpcConnection, serveRpcSockets } from '@forecourt/json-rpc';
import { fastify } from 'fastify';
import { recordsOf, TRANSACTIONS_PER_CHECKPOINT } from './sample-ledger.js';

const LIMITS = { path: '/', maxBatch: 10 };
const MAX_BYTES = 1_000_000;

/** A node of the legacy dialect that serves the sample ledger up to a checkpoint. */
export class SampleServer {
  readonly #subscribers = new Set<RpcConnection>();
  readonly #server = fastify();

  /** The newest checkpoint. */
  constructor(public latest: number) {}

  async start(port: number): Promise<string> {
    const server = this.#server;
    registerRpcRoute(server, async (_method, params) => this.query(readGetEvents(params)), {
      ...LIMITS,
      bodyLimitBytes: MAX_BYTES,
    });
    serveRpcSockets(
      server.server,
      async (_method, _params, { connection, afterReply }) => {
        afterReply(() => this.#subscribers.add(connection!));
        connection!.closed.addEventListener('abort', () => this.#subscribers.delete(connection!));
        return 1;
      },
      {
        ...LIMITS,
        maxMessageBytes: MAX_BYTES,
        maxConnections: 10,
        pingIntervalMs: 60_000,
        maxPendingCalls: 10,
        maxBufferedBytes: 2 ** 30,
      },
    );
    return server.listen({ host: '127.0.0.1', port });
  }

  /** Adds a checkpoint and sends it to subscribers. */
  grow(): void {
    this.latest += 1;
    for (const result of recordsOf(this.latest)) {
      const params = { subscription: 1, result };
      const text = JSON.stringify({ jsonrpc: '2.0', method: 'ledger_subscribeEvent', params });
      for (const connection of this.#subscribers) connection.send(text);
    }
  }

  async stop(): Promise<void> {
    await this.#server.close();
  }

  /** Answers `All` and the event type `Checkpoint`, which are all that the service asks for. */
  private query({ criterion, cursor, limit, descending }: GetEventsRequest): EventPage {
    const found: StoredEventRecord[] = [];
    const step = descending ? -1 : 1;
    let checkpoint = descending ? this.latest : 0;
    if (cursor !== null) {
      const at = Math.floor(cursor.txSeq / TRANSACTIONS_PER_CHECKPOINT);
      checkpoint = descending ? Math.min(at, this.latest) : at;
    }
    for (; checkpoint >= 0 && checkpoint <= this.latest && found.length <= limit;) {
      const records = recordsOf(checkpoint).filter(
        ({ id, event }) =>
          (criterion.key === 'All' || 'checkpoint' in event) &&
          (cursor === null || step * compareEventIds(id, cursor) >= 0),
      );
      found.push(...(descending ? records.toReversed() : records));
      checkpoint += step;
    }
    const beyond = found[limit];
    return { data: found.slice(0, limit), nextCursor: beyond?.id ?? null };
  }
}
