import { join } from 'node:path';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, type ServiceProcess, startService } from '@forecourt/testing/system';
import { sponsor } from '../support/application.js';
import { makeLogFolder } from '../support/make-log-folder.js';
import { startEvents } from '../support/start-events.js';
import { call, exchange, openAs } from './events-attacker.js';
import { ATTACKER, system } from '../support/systems/listened-system.js';
import { figuresOf } from './process-figures.js';
import { closeAll, openFrom } from './raw-http.js';

const OPEN_FILES = 600;
const SILENT = 569;
/** With three sockets of each client, more than all clients together may use. */
const PATHS_PER_SOCKET = 100;

const sockets: Socket[] = [];
afterEach(() => closeAll(sockets.splice(0)));

const atGateway = (url: string) => ({ ...system.application, url });

/** One more gateway of the system, which may open few files. */
async function startFrugalGateway(): Promise<ServiceProcess> {
  const [first] = system.services('gateway');
  const port = String(await freePort());
  return startService({
    app: 'gateway',
    url: `http://127.0.0.1:${port}`,
    command: [
      'prlimit',
      `--nofile=${OPEN_FILES}`,
      process.execPath,
      'apps/gateway/dist/bundle/main.js',
    ],
    logFile: join(makeLogFolder('gateway'), 'gateway.log'),
    env: {
      ...first!.options.env,
      GATEWAY_PORT: port,
      GATEWAY_METRICS_PORT: String(await freePort()),
      GATEWAY_COMPATIBILITY_PORT: String(await freePort()),
    },
  });
}

describe('connections that send nothing', () => {
  let gateway: ServiceProcess;
  beforeAll(async () => {
    gateway = await startFrugalGateway();
  });
  afterAll(() => gateway?.stop());

  it('keep no other client away from a gateway that may open few files', async () => {
    for (let count = 0; count < SILENT; count++) {
      sockets.push((await openFrom(gateway.url, ATTACKER)).resume());
    }
    expect((await sponsor(atGateway(gateway.url))).answer.status).toBe(200);
    expect(figuresOf(gateway).openFiles).toBeLessThan(OPEN_FILES);
  });

  it('of other ports keep no client away either', async () => {
    const { GATEWAY_METRICS_PORT, GATEWAY_COMPATIBILITY_PORT } = gateway.options.env;
    for (const port of [GATEWAY_METRICS_PORT, GATEWAY_COMPATIBILITY_PORT]) {
      for (let count = 0; count < SILENT; count++) {
        sockets.push((await openFrom(`http://127.0.0.1:${port}`, ATTACKER)).resume());
      }
    }
    expect((await sponsor(atGateway(gateway.url))).answer.status).toBe(200);
  });
});

describe('the events service, with many greedy clients', () => {
  let events: ServiceProcess;
  beforeAll(async () => {
    events = await startEvents({
      EVENTS_UPSTREAMS: system.ledgerUrl,
      EVENTS_MAX_CONNECTIONS: '256',
    });
  });
  afterAll(() => events?.stop());

  /** Subscriptions to events by fields that no other client asks for. */
  const ofPaths = (client: string, count: number) =>
    Array.from({ length: count }, (_, path) =>
      call(path, 'ledger_subscribeEvent', {
        MoveEventField: { path: `/of${client}/field${path}`, value: 1 },
      }),
    );

  it('has field paths left for a newcomer', async () => {
    for (let client = 0; client < 32; client++) {
      for (let part = 0; part < 3; part++) {
        const socket = await openAs(events.url, `203.0.113.${client}`);
        await exchange(socket, ofPaths(`${client}of${part}`, PATHS_PER_SOCKET));
      }
    }
    const newcomer = await openAs(events.url, '198.51.100.1');
    const [answer] = await exchange(newcomer, ofPaths('newcomer', 1));
    expect(answer).toMatchObject({ result: expect.any(Number) });
  });

  it('has WebSockets left for a newcomer', async () => {
    const open = (address: string) =>
      openAs(events.url, address).then(
        () => true,
        () => false,
      );
    for (let client = 100; client < 132; client++) {
      let count = 0;
      while (count < 64 && (await open(`203.0.113.${client}`))) count += 1;
    }
    expect(await open('198.51.100.2')).toBe(true);
  });
});
