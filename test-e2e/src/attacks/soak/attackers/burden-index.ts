import { on } from 'node:events';
import type { Attacker } from '../attacker.js';
import { openRpcSocket } from '../open-rpc-socket.js';
import { sendHttp } from '../send-http.js';

const SOCKETS = 8;
const CALLS_AT_ONCE = 16;
/** No event has this field, so that each query looks at every event that the index has. */
const CRITERION = { MoveEventField: { path: '/nothing', value: 1 } };
const TIMEOUT_MS = 15_000;

/** Asks over WebSockets for what only a look at all events can deny. */
const scanIndex: Attacker = {
  name: 'scan-index',
  aim: 'make the queries of others wait for scans of the index, without a token',
  async run({ gatewayUrl }, client) {
    const scan = () =>
      client.repeat(100, async () => {
        const socket = await openRpcSocket(gatewayUrl, client);
        try {
          const signal = AbortSignal.timeout(TIMEOUT_MS);
          const answers = on(socket, 'message', { signal });
          for (let id = 0; id < CALLS_AT_ONCE; id++) {
            const params = [CRITERION, null, 1_000, 'Descending'];
            socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'ledger_getEvents', params }));
          }
          for (let id = 0; id < CALLS_AT_ONCE; id++) {
            const { value } = (await answers.next()) as { value: [Buffer] };
            client.answers.note(`query ${value[0].includes('"error"') ? 'refused' : 'answered'}`);
          }
        } finally {
          socket.terminate();
        }
      });
    await Promise.all(Array.from({ length: SOCKETS }, scan));
  },
};

/** Orders work of operators at the events service itself, past the gateway. */
const orderBackfills: Attacker = {
  name: 'order-backfills',
  aim: 'have the index filled again and again from inside the network',
  async run({ eventsUrl }, client, signal) {
    await client.repeat(200, async () => {
      const { status } = await sendHttp(eventsUrl, {
        method: 'POST',
        path: '/events_index/backfill',
        body: { first_checkpoint: 0, last_checkpoint: 1_000_000 },
        from: client.from,
        timeoutMs: TIMEOUT_MS,
        signal,
      });
      client.answers.note(`backfill ${status}`);
    });
  },
};

/** Attackers whose work at the index of events would not be counted. */
export const burdenIndex: readonly Attacker[] = [scanIndex, orderBackfills];
