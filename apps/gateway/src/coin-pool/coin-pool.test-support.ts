import { partial } from '@forecourt/testing/jest';
import 'reflect-metadata';
import { Controller, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { coinPoolPatterns } from '@forecourt/contracts';
import { DirectServer } from '@forecourt/runtime/transport';
import { freePort } from '@forecourt/testing/redis';
import { CoinPoolClient } from './coin-pool-client.js';

export const message = { caller: 'default', gasBudget: 1, durationSecs: 1 };
export const coin = { objectId: '0x7', version: 3, digest: 'D' };
export const reserved = {
  reservationId: 64,
  sponsor: '0x5',
  coins: [coin],
  deadlineMs: 1_000,
  mayLeaveDust: true,
};

/** The replicas that are running. */
export const running: INestMicroservice[] = [];
const clients: CoinPoolClient[] = [];
const settings = { coinPoolTimeoutMs: 10_000, fleetSecrets: [] };

/** Stops all clients and replicas. */
export async function stopAll(): Promise<void> {
  for (const client of clients.splice(0)) client.onApplicationShutdown();
  await Promise.all(running.splice(0).map((replica) => replica.close()));
}

/** A coin-pool that answers one message, and `check-pool`, in its own way, and knows no other. */
function replicaModule(answer: (message: unknown) => unknown, pattern: { readonly cmd: string }) {
  @Controller()
  class Replica {
    @MessagePattern(pattern)
    answerOne(@Payload() received: unknown): unknown {
      return answer(received);
    }
    @MessagePattern(coinPoolPatterns.checkPool)
    checkPool(): unknown {
      return answer({});
    }
  }
  class ReplicaModule {}
  Reflect.defineMetadata('controllers', [Replica], ReplicaModule);
  return ReplicaModule;
}

/** Starts such a coin-pool. */
export async function startReplica(
  answer: (message: unknown) => unknown,
  pattern: { readonly cmd: string } = coinPoolPatterns.reserveGas,
): Promise<number> {
  const port = await freePort();
  const app = await NestFactory.createMicroservice(replicaModule(answer, pattern), {
    transport: Transport.TCP,
    options: { host: '127.0.0.1', port },
    logger: false as const,
  });
  await app.listen();
  running.push(app);
  return port;
}

/** Starts such a coin-pool in this process, and returns a client of it. */
export async function startLocally(answer: (message: unknown) => unknown): Promise<CoinPoolClient> {
  const strategy = new DirectServer();
  const module = replicaModule(answer, coinPoolPatterns.reserveGas);
  const app = await NestFactory.createMicroservice(module, { strategy, logger: false as const });
  await app.listen();
  running.push(app);
  return new CoinPoolClient(partial({ ...settings, coinPools: [] }), strategy);
}

/** A client of the replicas at these ports. */
export function connectTo(...ports: number[]): CoinPoolClient {
  const coinPools = ports.map((port) => ({ host: '127.0.0.1', port }));
  const client = new CoinPoolClient(partial({ ...settings, coinPools }));
  clients.push(client);
  return client;
}
