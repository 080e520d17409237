import { once } from 'node:events';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Attacker } from '../attacker.js';
import { closeAll, openFrom } from '../../raw-http.js';

const CONNECTIONS = 500;
const HOLD_MS = 8_000;
const OPEN_MS = 5_000;
/** Loopback addresses that no other client uses. */
const ADDRESSES = Array.from({ length: 20 }, (_, host) => `127.0.1.${host + 1}`);
const PATHS = 300;

/** Opens many connections and sends nothing. */
export const openSilentConnections: Attacker = {
  name: 'open-silent-connections',
  aim: 'take all connections and files of the gateway',
  async run({ gatewayUrl }, client) {
    await client.repeat(200, async () => {
      const sockets: Socket[] = [];
      try {
        for (let count = 0; count < CONNECTIONS; count++) {
          sockets.push((await openFrom(gatewayUrl, client.from)).resume());
        }
        await client.pause(HOLD_MS);
        const left = sockets.filter(({ destroyed }) => !destroyed).length;
        client.answers.note(left === CONNECTIONS ? 'all left open' : 'some closed');
      } finally {
        closeAll(sockets);
      }
    });
  },
};

const subscribe = (id: number, path: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'ledger_subscribeEvent',
  params: [{ MoveEventField: { path, value: 1 } }],
});

/** Subscribes by many different fields, from many addresses. */
export const takeAllFieldPaths: Attacker = {
  name: 'take-all-field-paths',
  aim: 'leave no field paths and no WebSockets of the events service to others',
  async run({ gatewayUrl }, client) {
    await client.repeat(500, async () => {
      const opening = ADDRESSES.map(async (localAddress) => {
        const socket = new WebSocket(`${gatewayUrl.replace('http', 'ws')}/rpc`, {
          localAddress,
          handshakeTimeout: OPEN_MS,
        });
        socket.on('error', (error) => client.answers.note('failed', error.message));
        await Promise.race([once(socket, 'open'), once(socket, 'close')]);
        socket.on('message', (data: Buffer) =>
          client.answers.note(data.includes('"result"') ? 'subscribed' : 'refused'),
        );
        for (let path = 0; path < PATHS; path++) {
          if (socket.readyState !== WebSocket.OPEN) break;
          socket.send(JSON.stringify(subscribe(path, `/${localAddress}/field${path}`)));
        }
        return socket;
      });
      const sockets = await Promise.all(opening);
      await client.pause(HOLD_MS);
      for (const socket of sockets) socket.terminate();
    });
  },
};
