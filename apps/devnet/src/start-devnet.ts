import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Metrics } from '@forecourt/runtime/metrics';
import { addMetricsRoute, measureHttp } from '@forecourt/runtime/service';
import { ConsoleLogger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ControlServer } from './control/control-server.js';
import type { DevnetConfig } from './devnet-config.js';
import { DevnetModule } from './devnet.module.js';
import { createLedger } from './create-ledger.js';
import type { Engine } from './engine/engine.js';
import { FullNode } from './engine/full-node.js';
import { EventFeed } from './events/event-feed.js';
import { FaucetServer } from './faucet/faucet-server.js';
import { urlOf } from './http/side-server.js';
import { measureLedger } from './measure-ledger.js';

/** A running devnet. URLs have no trailing slash; null where an endpoint is switched off. */
export interface RunningDevnet {
  readonly urls: {
    readonly rpc: string;
    readonly faucet: string | null;
    readonly control: string | null;
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
    DevnetModule.from(config, engine),
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
  measureLedger(metrics, engine);
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
    },
    chainIdentifier: engine.chainIdentifier,
    engine,
    stop: () => app.close(),
  };
}
