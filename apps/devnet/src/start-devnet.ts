import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { registerRpcRoute, serveRpcSockets } from '@forecourt/json-rpc';
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
import { EventFeed } from './events/event-feed.js';
import { IotaSubscriptions } from './events/iota-subscriptions.js';
import { LegacySubscriptions } from './events/legacy-subscriptions.js';
import { FaucetServer } from './faucet/faucet-server.js';
import { FaultBoard } from './faults/fault-board.js';
import { RequestCounters } from './faults/request-counters.js';
import { withFaults } from './faults/with-faults.js';
import { urlOf } from './http/side-server.js';
import { measureLedger } from './measure-ledger.js';
import { runMethod } from './methods/run-method.js';

const CLOSING_MS = 1_000;
const MAX_BATCH = 1_000;
const SOCKET_LIMITS = {
  maxConnections: 10_000,
  pingIntervalMs: 30_000,
  maxPendingCalls: 64,
  maxBufferedBytes: 16 * 2 ** 20,
};

/** A devnet that listens. URLs have no trailing slash; null where a door is switched off. */
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

/** Starts the ledger and its doors; resolves once all of them listen. */
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
  const faults = app.get(FaultBoard);
  const counters = app.get(RequestCounters);
  engine.onExecuted(({ digest }) => counters.countExecution(digest));
  const events = app.get(EventFeed);
  const parts = {
    engine,
    faults,
    counters,
    events,
    legacySubscriptions: new LegacySubscriptions(events),
    iotaSubscriptions: new IotaSubscriptions(engine),
  };
  const call = withFaults(
    (method, params, context) => runMethod(parts, method, params, context),
    ...([faults, counters, config.latencyMs] as const),
  );
  const answering = { path: '/', maxBatch: MAX_BATCH };
  const { bodyLimitBytes } = config;
  registerRpcRoute(server, call, { ...answering, bodyLimitBytes });
  const sockets = serveRpcSockets(app.getHttpServer(), call, {
    ...answering,
    ...SOCKET_LIMITS,
    maxMessageBytes: bodyLimitBytes,
  });
  server.addHook('preClose', () => sockets.close('the node is stopping', CLOSING_MS));
  server.addHook('onClose', async () => {
    events.store.close();
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
