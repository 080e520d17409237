import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  freePort,
  inheritedEnvironment,
  type ServiceProcess,
  startRedisServer,
  startService,
  waitUntil,
} from '@forecourt/testing/system';
import { useStarted } from '@forecourt/testing/jest';
import { makeLogFolder } from '../support/make-log-folder.js';
import { scrape, sumOf } from '../operations/monitoring/scrape.js';

/** Files of this test: the server's certificate names 127.0.0.1, and its key is not secret. */
const certificate = (file: string) =>
  fileURLToPath(new URL(`./certificates/${file}`, import.meta.url));

const redis = useStarted(
  async () => {
    const port = await freePort();
    const settings = {
      port: '0',
      'tls-port': String(port),
      'tls-cert-file': certificate('server.crt'),
      'tls-key-file': certificate('server.key'),
      'tls-auth-clients': 'no',
    };
    return startRedisServer({ port, settings });
  },
  (server) => server.stop(),
);

const started: ServiceProcess[] = [];
afterEach(() => Promise.all(started.splice(0).map((service) => service.stop())));

/** Starts a gateway that calls Redis over TLS at this host name. */
async function startGatewayWith(
  host: string,
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const [port, metricsPort, ledgerPort] = [await freePort(), await freePort(), await freePort()];
  const gateway = await startService({
    app: 'gateway',
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    logFile: join(makeLogFolder('private-ca'), 'gateway.log'),
    env: {
      ...(inheritedEnvironment() as Record<string, string>),
      GATEWAY_PORT: String(port),
      GATEWAY_METRICS_PORT: String(metricsPort),
      GATEWAY_COMPATIBILITY_PORT: String(await freePort()),
      LEDGER_URL: `http://127.0.0.1:${ledgerPort}`,
      REDIS_URL: `rediss://${host}:${redis.port}`,
      GAS_STATION_AUTH: 'a-token',
      ALLOW_UNAUTHENTICATED_FLEET: 'true',
      ...settings,
    },
  });
  started.push(gateway);
  return gateway;
}

const isConnected = async (gateway: ServiceProcess) =>
  sumOf(await scrape(gateway.metricsUrl), 'forecourt_redis_up') === 1;

async function expectRefusal(gateway: ServiceProcess, reason: string): Promise<void> {
  await waitUntil(async () => (await gateway.log()).includes(reason), { what: reason });
  expect(await isConnected(gateway)).toBe(false);
}

describe('a Redis with a certificate of a private authority', () => {
  const authority = { NODE_EXTRA_CA_CERTS: certificate('ca.crt') };

  it('is used by a service that has the authority', async () => {
    const gateway = await startGatewayWith('127.0.0.1', authority);
    await waitUntil(() => isConnected(gateway), { what: 'the connection to Redis' });
  });

  it('is refused by a service without the authority', async () => {
    const gateway = await startGatewayWith('127.0.0.1', {});
    await expectRefusal(gateway, 'unable to verify the first certificate');
  });

  it('is refused under a name that its certificate does not have', async () => {
    const gateway = await startGatewayWith('localhost', authority);
    await expectRefusal(gateway, `does not match certificate's altnames`);
  });
});
