import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openPool, prepareCoinStore, readNetwork } from '@forecourt/coin-store';
import { createIotaLedger, createLocalSigner } from '@forecourt/ledger';
import type { Logger } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { useRedis } from '@forecourt/testing/jest';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { JobPreconditions, jobsIndicator } from './job-preconditions.js';

const redis = useRedis((url) => prepareCoinStore(new Redis(url)));
const [OURS, OTHER] = ['a1b2c3d4', 'f00df00d'];

const aSigner = () =>
  createLocalSigner(Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64'));

/** A node that names its network only. */
async function aNode(chain: string) {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { id } = (request.method === 'POST' ? JSON.parse(text) : {}) as { id?: number };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: node.chain }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const node = { chain, server, url: `http://127.0.0.1:${port}` };
  return node;
}

const servers: Server[] = [];
beforeEach(() => redis.flushall());
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** An executor of one key, with its node, and a second one for reads if `readChain` is set. */
async function anExecutor(chain: string, readChain?: string) {
  const signer = aSigner();
  const signers = new Signers([signer]);
  const node = await aNode(chain);
  const reader = readChain === undefined ? null : await aNode(readChain);
  servers.push(node.server, ...(reader ? [reader.server] : []));
  const ledger = createIotaLedger({
    urls: [node.url],
    readUrls: reader ? [reader.url] : [],
    requestTimeoutMs: 2_000,
    findNetwork: () => readNetwork(redis, [signer.address]),
  });
  const logged: string[] = [];
  const log = (fields: object, text: string) =>
    void logged.push(`${text}: ${JSON.stringify(fields)}`);
  const logger = { debug: log, info: log, warn: log, error: log } as unknown as Logger;
  const preconditions = new JobPreconditions(redis, ledger, signers, logger);
  let isMet = false;
  const met = preconditions.untilMet().then(() => (isMet = true));
  const isReady = () =>
    jobsIndicator(preconditions)
      .check()
      .then(
        () => true,
        () => false,
      );
  /** Resolves when the problem contains this text. */
  const untilProblem = async (text: string) => {
    while (!preconditions.problem?.includes(text)) await new Promise((next) => setTimeout(next, 5));
  };
  return {
    signer,
    signers,
    node,
    reader,
    preconditions,
    met,
    logged,
    isReady,
    untilProblem,
    isMet: () => isMet,
  };
}

describe('an executor takes jobs only', () => {
  it('with a key of an open pool: the key may be added, and the pool opened, later', async () => {
    const served = aSigner();
    await openPool(redis, served.address, OURS);
    const executor = await anExecutor(OURS);
    await executor.untilProblem(executor.signer.address);
    expect([executor.isMet(), await executor.isReady()]).toEqual([false, false]);
    expect(executor.preconditions.problem).toContain('compare SPONSOR_KEYS');
    executor.signers.replace([executor.signer, served]);
    await executor.met;
    expect([await executor.isReady(), executor.logged.length]).toEqual([true, 2]);
  });

  it('once the pool of its only sponsor is open', async () => {
    const executor = await anExecutor(OURS);
    await executor.untilProblem(executor.signer.address);
    await openPool(redis, executor.signer.address, OURS);
    await executor.met;
    expect(await executor.isReady()).toBe(true);
  });

  it.each([
    ['the node that receives transactions', OTHER, undefined],
    ['the node that serves reads', OURS, OTHER],
  ])('on the pool’s network: %s is right', async (_which, chain, readChain) => {
    const executor = await anExecutor(chain, readChain);
    await openPool(redis, executor.signer.address, OURS);
    await executor.untilProblem(`it is on network ${OTHER}, not ${OURS}`);
    expect([executor.isMet(), await executor.isReady()]).toEqual([false, false]);
    expect(await executor.preconditions.isOnOtherNetwork()).toBe(true);
    (executor.reader ?? executor.node).chain = OURS;
    await executor.met;
    expect(await executor.isReady()).toBe(true);
    expect(await executor.preconditions.isOnOtherNetwork()).toBe(false);
  });

  it.each([
    ['the right network: its outage may be everyone’s', OURS, false],
    ['another network, until it answers from the right one', OTHER, true],
  ])('by what is known of a node that does not answer: it was on %s', async (_what, chain, is) => {
    const executor = await anExecutor(chain);
    await openPool(redis, executor.signer.address, OURS);
    await (is ? executor.untilProblem(OTHER) : executor.met);
    executor.node.server.closeAllConnections();
    executor.node.server.close();
    expect(await executor.preconditions.isOnOtherNetwork()).toBe(is);
    executor.preconditions.beforeApplicationShutdown();
    expect(await executor.isReady()).toBe(!is);
  });

  it('while it does not stop', async () => {
    const executor = await anExecutor(OURS);
    await executor.untilProblem(executor.signer.address);
    executor.preconditions.beforeApplicationShutdown();
    await executor.met;
    expect(await executor.isReady()).toBe(false);
  });
});
