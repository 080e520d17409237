import { fastify } from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';
import { address, moveEvent, SAMPLE_PACKAGE, sampleRecord } from '../samples.js';

const SENDERS = 20;

/** The reference for the fan-out: `ws` alone sends the same messages to the same clients. */
const server = fastify();
const webSockets = new WebSocketServer({ server: server.server, perMessageDeflate: false });
const groups = Array.from({ length: SENDERS }, () => new Set<WebSocket>());
let connected = 0;
webSockets.on('connection', (webSocket) => {
  const group = groups[connected++ % SENDERS]!;
  group.add(webSocket);
  webSocket.on('close', () => group.delete(webSocket));
  webSocket.on('message', () => webSocket.send('{"jsonrpc":"2.0","id":1,"result":1}'));
});
server.get('/health/ready', async () => ({ status: 'ok' }));
server.post<{ Body: { count: number } }>('/blast', async ({ body }) => {
  for (let made = 0; made < body.count; made++) {
    const sender = address(made % SENDERS);
    const origin = { packageId: SAMPLE_PACKAGE, transactionModule: 'garage', sender };
    const record = sampleRecord(made, 0, moveEvent(origin, made));
    const text = JSON.stringify({
      jsonrpc: '2.0',
      method: 'ledger_subscribeEvent',
      params: { subscription: 1, result: record },
    });
    for (const webSocket of groups[made % SENDERS]!) webSocket.send(text);
    if (made % 200 === 199) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return {};
});
await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
