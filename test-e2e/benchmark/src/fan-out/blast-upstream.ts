import { compareEventIds, readGetEvents, type StoredEventRecord } from '@forecourt/contracts';
import { type RpcConnection, registerRpcRoute, serveRpcSockets } from '@forecourt/json-rpc';
import { fastify } from 'fastify';
import { address, moveEvent, SAMPLE_PACKAGE, sampleRecord } from '../samples.js';

const KEPT = 50_000;
const SENDERS = 20;

/**
 * A node of the legacy dialect that produces events on command. `POST /blast` with `{count,
 * perSecond}` makes that many events, each of one of 20 senders; `perSecond` 0: at full speed.
 */
const server = fastify();
const records: StoredEventRecord[] = [];
const subscribers = new Set<RpcConnection>();
let next = 0;

function emit(): void {
  const sender = address(next % SENDERS);
  const origin = { packageId: SAMPLE_PACKAGE, transactionModule: 'garage', sender };
  const record = sampleRecord(next, 0, moveEvent(origin, next));
  next += 1;
  records.push(record);
  if (records.length > 2 * KEPT) records.splice(0, KEPT);
  const text = JSON.stringify({
    jsonrpc: '2.0',
    method: 'ledger_subscribeEvent',
    params: { subscription: 1, result: record },
  });
  for (const connection of subscribers) connection.send(text);
}

function getEvents(params: unknown) {
  const { cursor, limit, descending } = readGetEvents(params);
  const ordered = descending ? records.toReversed() : records;
  const found = ordered.filter(({ id }) => {
    const difference = cursor === null ? 0 : compareEventIds(id, cursor);
    return descending ? difference <= 0 : difference >= 0;
  });
  const beyond = found[limit];
  return { data: found.slice(0, limit), nextCursor: beyond?.id ?? null };
}

const options = { maxBatch: 10, bodyLimitBytes: 1_000_000 };
registerRpcRoute(server, async (_method, params) => getEvents(params), { path: '/', ...options });
serveRpcSockets(
  server.server,
  async (_method, _params, { connection, afterReply }) => {
    afterReply(() => subscribers.add(connection!));
    connection!.closed.addEventListener('abort', () => subscribers.delete(connection!));
    return 1;
  },
  {
    path: '/',
    maxBatch: 10,
    maxMessageBytes: 1_000_000,
    maxConnections: 10,
    pingIntervalMs: 60_000,
    maxPendingCalls: 10,
    maxBufferedBytes: 2 ** 30,
  },
);
server.get('/health/ready', async () => ({ status: 'ok' }));
server.post<{ Body: { count: number; perSecond: number } }>('/blast', async ({ body }) => {
  const { count, perSecond } = body;
  const start = performance.now();
  for (let made = 0; made < count;) {
    const due = perSecond === 0 ? made + 200 : ((performance.now() - start) / 1_000) * perSecond;
    while (made < Math.min(due, count)) {
      emit();
      made += 1;
    }
    await new Promise<void>((resolve) =>
      perSecond === 0 ? setImmediate(resolve) : setTimeout(resolve, 5),
    );
  }
  return { count };
});
emit();
await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
