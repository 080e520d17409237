import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { ConsoleLogger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ControlServer } from './control/control-server.js';
import type { DevnetConfig } from './devnet-config.js';
import { DevnetModule } from './devnet.module.js';
import { Engine } from './engine/engine.js';
import { FaucetServer } from './faucet/faucet-server.js';
import { FaultBoard } from './faults/fault-board.js';
import { RequestCounters } from './faults/request-counters.js';
import { withFaults } from './faults/with-faults.js';
import { urlOf } from './http/side-server.js';
import { registerRpcRoute } from './json-rpc/register-rpc-route.js';
import { runMethod } from './methods/run-method.js';

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
export async function startDevnet(config: DevnetConfig): Promise<RunningDevnet> {
  const app = await NestFactory.create<NestFastifyApplication>(
    DevnetModule.from(config),
    new FastifyAdapter({ logger: false, forceCloseConnections: true }),
    {
      bodyParser: false,
      logger: new ConsoleLogger({ json: true, logLevels: ['warn', 'error', 'fatal'] }),
    },
  );
  const engine = app.get(Engine);
  const faults = app.get(FaultBoard);
  const counters = app.get(RequestCounters);
  engine.onExecuted(({ digest }) => counters.countExecution(digest));
  const parts = { engine, faults, counters };
  const run = (method: string, params: unknown) => runMethod(parts, method, params);
  registerRpcRoute(
    app.getHttpAdapter().getInstance(),
    config.bodyLimitBytes,
    withFaults(run, faults, counters, config.latencyMs),
  );
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
