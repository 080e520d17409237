import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, RpcException, Transport } from '@nestjs/microservices';
import { coinPoolPatterns, ForecourtError } from '@forecourt/contracts';
import { freePort } from '@forecourt/testing/redis';
import { CoinPoolClient } from './coin-pool-client.js';

const message = { caller: 'default', gasBudget: 1, durationSecs: 1 };
const coin = { objectId: '0x7', version: 3, digest: 'D' };
const reserved = { reservationId: 64, sponsor: '0x5', coins: [coin], deadlineMs: 1_000 };
const running: INestMicroservice[] = [];
let client: CoinPoolClient;
afterEach(async () => {
  client.onApplicationShutdown();
  await Promise.all(running.splice(0).map((replica) => replica.close()));
});

/** A coin-pool that answers `reserve-gas` in its own way. */
async function startReplica(answer: () => unknown): Promise<number> {
  @Controller()
  class Replica {
    @MessagePattern(coinPoolPatterns.reserveGas)
    reserveGas(): unknown {
      return answer();
    }
    @MessagePattern(coinPoolPatterns.checkPool)
    checkPool(): unknown {
      return answer();
    }
  }
  class ReplicaModule {}
  Reflect.defineMetadata('controllers', [Replica], ReplicaModule);
  const port = await freePort();
  const app = await NestFactory.createMicroservice(ReplicaModule, {
    transport: Transport.TCP,
    options: { host: '127.0.0.1', port },
    logger: false as const,
  });
  await app.listen();
  running.push(app);
  return port;
}

const connectTo = (...ports: number[]) => {
  const coinPools = ports.map((port) => ({ host: '127.0.0.1', port }));
  client = new CoinPoolClient({ coinPools, coinPoolTimeoutMs: 1_000, fleetSecrets: [] });
  return client;
};

describe('the coin pool client', () => {
  it('uses the replicas in turn', async () => {
    const seen: string[] = [];
    const ports = [
      await startReplica(() => seen.push('a') && reserved),
      await startReplica(() => seen.push('b') && reserved),
    ];
    connectTo(...ports);
    for (let i = 0; i < 4; i++) await client.reserveGas(message);
    expect(seen).toEqual(['a', 'b', 'a', 'b']);
  });

  it('skips an unreachable replica', async () => {
    const port = await startReplica(() => reserved);
    connectTo(await freePort(), port);
    for (let i = 0; i < 4; i++) {
      expect(await client.reserveGas(message)).toEqual(reserved);
    }
  });

  it('skips an unreachable replica for every one of many concurrent calls', async () => {
    const port = await startReplica(() => reserved);
    connectTo(await freePort(), port);
    const asked = Array.from({ length: 20 }, () => client.reserveGas(message));
    expect(await Promise.all(asked)).toEqual(asked.map(() => reserved));
  });

  it('asks another replica when one is unavailable, and lets that one rest', async () => {
    const refusal = { code: 'POOL_REFUSED', detail: 'it is stopping' };
    let refused = 0;
    const refuse = () => {
      refused += 1;
      throw new RpcException(refusal);
    };
    const port = await startReplica(refuse);
    connectTo(port, await startReplica(() => reserved));
    for (let i = 0; i < 4; i++) {
      expect(await client.reserveGas(message)).toEqual(reserved);
    }
    expect(refused).toBe(1);
    client.onApplicationShutdown();
    await expect(connectTo(port).reserveGas(message)).rejects.toMatchObject(refusal);
  });

  it('passes on the error of the coin pool', async () => {
    const error = { code: 'NO_COINS', detail: '', retryAfterSecs: 3 };
    connectTo(
      await startReplica(() => {
        throw new RpcException(error);
      }),
    );
    await expect(client.reserveGas(message)).rejects.toMatchObject({
      code: 'NO_COINS',
      retryAfterSecs: 3,
      status: 503,
    });
  });

  it('takes no reply whose fields are not those of its DTO', async () => {
    connectTo(await startReplica(() => ({ ...reserved, coins: [{ ...coin, version: '3' }] })));
    await expect(client.reserveGas(message)).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      cause: new Error(
        'Invalid ReservedGas from a coin pool: coins[0].version must be an integer from 0 to 9007199254740991; got "3"',
      ),
    });
  });

  it('repeats a call whose answer is lost at another replica only if it is idempotent', async () => {
    let asked = 0;
    const never = () => {
      asked += 1;
      return new Promise(() => undefined);
    };
    const ports = [await startReplica(never), await startReplica(never)];
    connectTo(...ports);
    await expect(client.reserveGas(message)).rejects.toBeInstanceOf(ForecourtError);
    expect(asked).toBe(1);
    await expect(client.checkPool()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(asked).toBe(3);
  });
});
