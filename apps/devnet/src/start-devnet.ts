import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { Metrics } from '@forecourt/runtime/metrics';
import 'reflect-metadata';
import { addMetricsRoute, measureHttp } from '@forecourt/runtime/service';
import { ConsoleLogger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Engine } from './engine/engine.js';
import type { DevnetConfig } from './devnet-config.js';
import { openDurableLedger } from './journal/open-durable-ledger.js';
import { ControlServer } from './control/control-server.js';
import { DevnetModule } from './devnet.module.js';
import { FullNode } from './engine/full-node.js';
import { EventFeed } from './events/event-feed.js';
import { FaucetServer } from './faucet/faucet-server.js';
import { GrpcServer } from './grpc/grpc-server.js';
import { urlOf } from './http/side-server.js';

/** Genesis time of a seeded chain: fixed, because the chain's identity depends on it. */
const SEEDED_GENESIS_MS = Date.UTC(2026, 0, 1);

/** A ledger, and a function that releases its resources. */
interface OpenLedger {
  readonly engine: Engine;
  readonly close: () => void;
}

/**
 * Creates the configured ledger. It uses the machine's clock, except for the genesis of a seeded chain.
 * Throws `ConfigError`.
 */
function createLedger(config: DevnetConfig): OpenLedger {
  const genesisMs = config.seed === null ? Date.now() : SEEDED_GENESIS_MS;
  const seed = config.seed ?? randomBytes(16).toString('hex');
  const { referenceGasPrice, genesisFunds, dataDir } = config;
  if (dataDir !== null) {
    mkdirSync(dataDir, { recursive: true });
    const funds = genesisFunds.map(({ owner, amount }) => ({ owner, amount: String(amount) }));
    const beginning = {
      seed,
      genesisMs,
      epochStartMs: Date.now(),
      referenceGasPrice: String(referenceGasPrice),
      funds,
      digests: 'bcs',
    } as const;
    return openDurableLedger(join(dataDir, 'ledger.sqlite'), config, beginning);
  }
  let atGenesis = true;
  const engine = new Engine({
    seed,
    referenceGasPrice,
    genesisFunds,
    epochStartMs: Date.now(),
    now: () => (atGenesis ? genesisMs : Date.now()),
    ...(config.epochSeconds !== null && { epochDurationMs: config.epochSeconds * 1000 }),
  });
  atGenesis = false;
  return { engine, close: () => undefined };
}

/** A running devnet. URLs have no trailing slash; null where an endpoint is switched off. */
export interface RunningDevnet {
  readonly urls: {
    readonly rpc: string;
    readonly faucet: string | null;
    readonly control: string | null;
    /** `grpc://host:port`. */
    readonly grpc: string | null;
  };
  readonly chainIdentifier: string;
  readonly engine: Engine;
  /** Closes every port and connection. */
  stop(): Promise<void>;
}

/** Starts the ledger and its endpoints; resolves when all of them listen. Throws when one cannot. */
export async function startDevnet(
  config: DevnetConfig,
  metrics = new Metrics(),
): Promise<RunningDevnet> {
  const { engine, close: closeLedger } = createLedger(config);
  const app = await NestFactory.create<NestFastifyApplication>(
    DevnetModule.forRoot(config, engine),
    new FastifyAdapter({ logger: false, forceCloseConnections: true }),
    {
      bodyParser: false,
      abortOnError: false,
      logger: new ConsoleLogger({ json: true, logLevels: ['warn', 'error', 'fatal'] }),
    },
  );
  const server = app.getHttpAdapter().getInstance();
  measureHttp(server, metrics);
  addMetricsRoute(server, metrics);
  server.addHook('onClose', async () => {
    // Events that the node does not show yet must be stored before the store is closed.
    app.get(FullNode).setLag(null);
    app.get(EventFeed).store.close();
    closeLedger();
  });
  app.enableShutdownHooks();
  await app.listen(config.rpcPort, config.host).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  return {
    urls: {
      rpc: urlOf(app.getHttpServer().address() as AddressInfo),
      faucet: app.get(FaucetServer).url,
      control: app.get(ControlServer).url,
      grpc: app.get(GrpcServer).url,
    },
    chainIdentifier: engine.chainIdentifier,
    engine,
    stop: () => app.close(),
  };
}
