import type { FastifyInstance } from 'fastify';
import {
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Injectable,
} from '@nestjs/common';
import type { ActiveFault } from '../faults/fault.js';
import { FaultBoard } from '../faults/fault-board.js';
import { NodeAvailability } from '../faults/node-availability.js';
import { RequestCounters } from '../faults/request-counters.js';
import { EngineError } from '../engine/engine-error.js';
import type { EngineInterface } from '../engine/engine-interface.js';
import { FullNode } from '../engine/full-node.js';
import { mintShown } from '../faucet/grant-coins.js';
import { NodeProfiles } from '../node/node-profiles.js';
import { readFault } from './read-fault.js';
import {
  readBody,
  requireInteger,
  readGasPrice,
  readLock,
  readMint,
} from './read-ledger-request.js';
import { InvalidControlRequest } from './invalid-control-request.js';
import { readNodeProfile } from './read-node-profile.js';
import { DevnetSettings } from '../devnet-settings.js';
import { Engine } from '../engine/engine.js';
import { createSideServer, listen } from '../http/side-server.js';

interface ControlDependencies {
  readonly faults: FaultBoard;
  readonly counters: RequestCounters;
  readonly availability: NodeAvailability;
  readonly engine: EngineInterface;
  readonly fullNode: FullNode;
  readonly profiles: NodeProfiles;
}

/** The control interface: HTTP and JSON, for tests and for curl. */
function registerControlRoutes(server: FastifyInstance, dependencies: ControlDependencies): void {
  const { faults, counters, availability, engine, fullNode, profiles } = dependencies;

  server.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin === undefined) return;
    return reply
      .code(403)
      .send({ error: 'Control interface does not accept requests from browsers' });
  });
  server.setErrorHandler((error, _request, reply) => {
    return reply.code(statusOf(error)).send({ error: (error as Error).message });
  });

  server.get('/', async () => describeLedger(engine));

  server.get('/faults', async () => ({ faults: faults.list().map(showFault) }));
  server.post('/faults', async (request, reply) => {
    const { fault, times, forMs } = readFault(request.body);
    const entry = faults.set(fault, times, forMs);
    await availability.settled();
    return reply.code(201).send(showFault(entry));
  });
  server.delete<{ Params: { id: string } }>('/faults/:id', async (request, reply) => {
    if (!faults.clear(Number(request.params.id))) {
      return reply.code(404).send({ error: `Fault ${request.params.id} not found` });
    }
    await availability.settled();
    return reply.code(204).send();
  });
  server.delete('/faults', async (_request, reply) => {
    faults.clearAll();
    await availability.settled();
    return reply.code(204).send();
  });

  server.post('/disconnect', async () => ({ connections: availability.disconnectAll() }));

  server.get('/counters', async () => counters.snapshot());
  server.delete('/counters', async (_request, reply) => {
    counters.reset();
    return reply.code(204).send();
  });

  server.get('/node', async () => profiles.current);
  server.post('/node', async (request) => profiles.change(readNodeProfile(request.body)));
  server.delete('/node', async (_request, reply) => {
    profiles.reset();
    return reply.code(204).send();
  });

  server.post('/until-shown', async () => {
    const transactions = engine.transactionCount;
    await fullNode.untilShown(transactions - 1);
    return { transactions };
  });
  server.post('/prune', async (request) => {
    fullNode.prune(requireInteger(readBody(request.body), 'below', 1));
    return { oldestCheckpoint: engine.oldestCheckpoint };
  });
  server.post('/epoch', async () => ({ epoch: String(engine.advanceEpoch()) }));
  server.post('/gas-price', async (request) => {
    const price = readGasPrice(request.body);
    engine.setReferenceGasPrice(price);
    return { referenceGasPrice: String(price) };
  });
  server.post('/locks', async (request, reply) => {
    const { objectId, digest } = readLock(request.body);
    engine.lockObject(objectId, digest);
    return reply.code(201).send({ objectId, digest });
  });
  server.post('/mint', async (request, reply) => {
    const { owner, amounts } = readMint(request.body);
    const { transaction, coins } = await mintShown(engine, fullNode, owner, amounts);
    const references = coins.map(({ reference }) => reference);
    return reply.code(201).send({ digest: transaction.digest, coins: references });
  });
}

/** 400: invalid request; 409: not possible in the ledger's current state. */
function statusOf(error: unknown): number {
  if (error instanceof InvalidControlRequest) return 400;
  if (error instanceof EngineError) return 409;
  return (error as { statusCode?: number }).statusCode ?? 500;
}

function describeLedger(engine: EngineInterface): object {
  const { epoch, referenceGasPrice } = engine.systemState();
  return {
    chainIdentifier: engine.chainIdentifier,
    seed: engine.seed,
    epoch: String(epoch),
    referenceGasPrice: String(referenceGasPrice),
    checkpoint: engine.latestCheckpoint.sequenceNumber,
    oldestCheckpoint: engine.oldestCheckpoint,
    transactions: engine.transactionCount,
    faucetAddress: engine.faucetAddress,
    demo: engine.demo,
  };
}

function showFault({ id, fault, remaining, hits }: ActiveFault): object {
  return { id, ...fault, remaining, hits };
}

/** Serves the control interface on a separate port; off by default. */
@Injectable()
export class ControlServer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #server = createSideServer();
  url: string | null = null;

  constructor(
    private readonly settings: DevnetSettings,
    private readonly engine: Engine,
    private readonly fullNode: FullNode,
    private readonly faults: FaultBoard,
    private readonly counters: RequestCounters,
    private readonly availability: NodeAvailability,
    private readonly profiles: NodeProfiles,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { host, controlPort } = this.settings.config;
    if (controlPort === null) return;
    const { faults, counters, availability, engine, fullNode, profiles } = this;
    const dependencies = { faults, counters, availability, engine, fullNode, profiles };
    registerControlRoutes(this.#server, dependencies);
    this.url = await listen(this.#server, host, controlPort);
  }

  async onApplicationShutdown(): Promise<void> {
    this.faults.clearAll();
    await this.#server.close();
  }
}
