import { percentile } from '@forecourt/testing/figures';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventPage, StoredEventRecord } from '@forecourt/contracts';
import {
  freePort,
  inheritedEnvironment,
  type ServiceProcess,
  startService,
  waitUntil,
} from '@forecourt/testing/system';
import { LightClient } from '../fan-out/light-client.js';
import { TRANSACTIONS_PER_CHECKPOINT } from './sample-ledger.js';
import { SampleServer } from './sample-server.js';

/** Checkpoints at the pace of a public network. */
const CHECKPOINTS = 240;
const PACE_MS = 250;
const LOOK_EVERY_MS = 2;
/** The subscriber has missed so many checkpoints, which it receives first. */
const MISSED = 400;

export interface Delays {
  /** The p99 from a new checkpoint of the node until a subscriber has it, in ms. */
  readonly subscriber: number;
  /** The p99 from a new checkpoint of the node until a query shows it, in ms. */
  readonly query: number;
}

/** Measures the events service with a filled index, whose last checkpoint is `latest`. */
export async function benchDelays(databaseUrl: string, latest: number): Promise<Delays> {
  const node = new SampleServer(latest);
  const upstream = await node.start(await freePort());
  const events = await startEvents(upstream, databaseUrl);
  try {
    const received = new Map<number, number>();
    const client = await subscribe(events.url, latest - MISSED, received);
    await waitUntil(async () => received.has(latest), { what: 'the missed checkpoints' });
    const times: { subscriber: number; query: number }[] = [];
    for (let round = 0; round < CHECKPOINTS; round++) {
      const began = performance.now();
      node.grow();
      await untilShown(events.url, node.latest);
      const query = performance.now() - began;
      while (!received.has(node.latest)) await delay(LOOK_EVERY_MS);
      times.push({ subscriber: received.get(node.latest)! - began, query });
      await delay(Math.max(0, PACE_MS - (performance.now() - began)));
    }
    client.socket.destroy();
    const p99 = (name: keyof Delays) =>
      percentile(
        times.map((one) => one[name]),
        0.99,
      );
    return { subscriber: p99('subscriber'), query: p99('query') };
  } finally {
    await events.stop();
    await node.stop();
  }
}

async function startEvents(upstream: string, databaseUrl: string): Promise<ServiceProcess> {
  const port = await freePort();
  return startService({
    app: 'events',
    url: `http://127.0.0.1:${port}`,
    logFile: join(mkdtempSync(join(tmpdir(), 'bench-index-')), 'events.log'),
    env: {
      ...inheritedEnvironment(),
      EVENTS_PORT: String(port),
      EVENTS_UPSTREAMS: upstream,
      EVENTS_DATABASE_URL: databaseUrl,
    },
  });
}

/** Subscribes to checkpoints after one, and notes when each arrives. */
async function subscribe(
  url: string,
  after: number,
  received: Map<number, number>,
): Promise<LightClient> {
  const client = await LightClient.open(url, (payload) => {
    const message = JSON.parse(payload.toString()) as {
      readonly params?: { readonly result?: StoredEventRecord };
    };
    const event = message.params?.result?.event ?? {};
    if ('checkpoint' in event) received.set(Number(event.checkpoint), performance.now());
  });
  const from = (after + 1) * TRANSACTIONS_PER_CHECKPOINT * 2 ** 14 - 1;
  const params = [{ EventType: 'Checkpoint' }, from];
  const call = { jsonrpc: '2.0', id: 1, method: 'ledger_subscribeEvent', params };
  client.send(JSON.stringify(call));
  return client;
}

/** Polls the newest event. */
async function untilShown(url: string, checkpoint: number): Promise<void> {
  const params = [{ EventType: 'Checkpoint' }, null, 1, true];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params });
  const headers = { 'content-type': 'application/json' };
  for (;;) {
    const response = await fetch(`${url}/rpc`, { method: 'POST', headers, body });
    const { result } = (await response.json()) as { readonly result?: EventPage };
    const event = result?.data[0]?.event ?? {};
    if ('checkpoint' in event && Number(event.checkpoint) >= checkpoint) return;
    await delay(LOOK_EVERY_MS);
  }
}
