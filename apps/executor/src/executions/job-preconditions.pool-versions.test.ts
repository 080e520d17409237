import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PoolTooNew, prepareCoinStore, READABLE_VERSION } from '@forecourt/coin-store';
import { createLocalSigner } from '@forecourt/ledger';
import type { Logger } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { partial, useStarted } from '@forecourt/testing/jest';
import { freePort, startRedisServer, waitUntil } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { JobPreconditions } from './job-preconditions.js';

const server = useStarted(
  () => startRedisServer(),
  (started) => started.stop(),
);
const connections: Redis[] = [];
afterAll(() => connections.forEach((redis) => redis.disconnect()));

const aSigner = () =>
  createLocalSigner(Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64'));

/** `stored`: the version of the second of two pools; absent: it has none. */
async function look(port: number, stored?: number) {
  const logged: string[] = [];
  const note = (_fields: object, message: string) => void logged.push(message);
  const logger = { info: note, warn: note, error: note } as unknown as Logger;
  const redis = new Redis(port, { maxRetriesPerRequest: 1, retryStrategy: () => 50 });
  redis.on('error', () => undefined);
  connections.push(redis);
  const keys = [aSigner(), aSigner()];
  const { address } = keys[1]!;
  if (stored !== undefined) await redis.set(`fc:{${address}}:version`, stored);
  const preconditions = new JobPreconditions(
    prepareCoinStore(redis),
    partial({}),
    new Signers(keys),
    logger,
  );
  return { logged, address, known: preconditions.untilPoolsReadable() };
}

describe('an executor that starts', () => {
  it('uses pools of the version that it reads, and pools that have none', async () => {
    await (
      await look(server.port)
    ).known;
    await (
      await look(server.port, READABLE_VERSION)
    ).known;
  });

  it('refuses a pool of a newer version: the error names both versions and the remedy', async () => {
    const { address, known } = await look(server.port, READABLE_VERSION + 1);
    const refused = await known.catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PoolTooNew);
    const { message } = refused as Error;
    expect(message).toContain(
      `The pool of sponsor ${address} is stored in version ${READABLE_VERSION + 1}, but this release reads versions up to ${READABLE_VERSION}.`,
    );
    expect(message).toContain('Run the release that wrote it');
  });

  it('waits for a Redis that does not answer yet', async () => {
    const port = await freePort();
    const { logged, known } = await look(port);
    await waitUntil(async () => logged.includes('Waiting for Redis'));
    const late = await startRedisServer({ port });
    await known;
    expect(logged.at(-1)).toBe('No longer waiting for Redis');
    await late.stop();
  });
});
