import { afterEach, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { FLEET_PROOF_HEADER, proveFleet } from '@forecourt/runtime/fleet-proof';
import { LOGGER } from '@forecourt/runtime/service';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import { INDEX } from './assemble-index.js';
import { IndexOperationsController } from './index-operations.controller.js';

const SECRET = 'a-secret-of-a-fleet-of-32-or-more-characters';
const RANGE = { first_checkpoint: 3, last_checkpoint: 9 };

const apps: NestFastifyApplication[] = [];
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

/** A service whose index records the calls and does nothing else. */
async function serve(fleetSecrets: readonly string[]) {
  const calls: string[] = [];
  const record = (what: string) => async () => (calls.push(what), {});
  const index = {
    requests: { read: record('read'), backfill: record('backfill') },
  };
  const config = {
    fleetSecrets,
    trustedGateways: { includes: (address: string) => address === '127.0.0.1' },
  };
  const providers = [
    { provide: INDEX, useValue: index },
    { provide: EVENTS_CONFIG, useValue: config },
    { provide: LOGGER, useValue: console },
  ];
  const root = { module: class {}, controllers: [IndexOperationsController], providers };
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    logger: false,
  });
  apps.push(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    calls,
    send: async (method: string, path: string, body?: object, proof?: string) => {
      const headers = {
        ...(body && { 'content-type': 'application/json' }),
        ...(proof && { [FLEET_PROOF_HEADER]: proof }),
      };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await fetch(`${url}${path}`, init)).status;
    },
  };
}

const REQUESTS = [
  ['GET', '/events_index', undefined],
  ['POST', '/events_index/backfill', RANGE],
] as const;

describe('IndexOperationsController', () => {
  it('does nothing for a request without a proof of the fleet’s secret, even from a trusted address', async () => {
    const { send, calls } = await serve([SECRET]);
    const wrong = 'the-secret-of-quite-another-fleet-somewhere';
    for (const [method, path, body] of REQUESTS) {
      expect(await send(method, path, body)).toBe(403);
      const proof = proveFleet(wrong, { method, path, body });
      expect(await send(method, path, body, proof)).toBe(403);
    }
    expect(calls).toEqual([]);
  });

  it('serves gateways that prove the secret', async () => {
    const { send, calls } = await serve([`new-${SECRET}`, SECRET]);
    for (const [method, path, body] of REQUESTS) {
      const proof = proveFleet(SECRET, { method, path, body });
      expect(await send(method, path, body, proof)).toBe(200);
    }
    expect(calls).toEqual(['read', 'backfill']);
  });

  it('serves a gateway on the same host where the fleet has no secret', async () => {
    const { send, calls } = await serve([]);
    expect(await send('POST', '/events_index/backfill', RANGE)).toBe(200);
    expect(calls).toEqual(['backfill']);
  });
});
