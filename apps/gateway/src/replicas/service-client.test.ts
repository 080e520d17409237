import type { Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RpcException } from '@nestjs/microservices';
import { coinPoolPatterns, ForecourtError, MESSAGE_VERSION } from '@forecourt/contracts';
import { freePort } from '@forecourt/testing/redis';
import {
  connectTo,
  coin,
  message,
  reserved,
  running,
  startLocally,
  startReplica,
  stopAll,
} from '../coin-pool/coin-pool.test-support.js';
import { isUndone } from './service-client.js';

afterEach(stopAll);

describe('a message to the coin-pool', () => {
  it('goes to the replicas in turn', async () => {
    const seen: string[] = [];
    const ports = [
      await startReplica(() => seen.push('a') && reserved),
      await startReplica(() => seen.push('b') && reserved),
    ];
    const client = connectTo(...ports);
    for (let i = 0; i < 4; i++) await client.reserveGas(message);
    expect(seen).toEqual(['a', 'b', 'a', 'b']);
  });

  it('finds the replicas connected that answered at the start, and needs no others', async () => {
    const port = await startReplica(() => reserved);
    const client = connectTo(await freePort(), port);
    await client.onApplicationBootstrap();
    const listener = running[0]!.unwrap<Server>();
    const connections = () =>
      new Promise<number>((resolve) => listener.getConnections((_, count) => resolve(count)));
    expect(await connections()).toBe(1);
    expect(await client.reserveGas(message)).toEqual(reserved);
    expect(await connections()).toBe(1);
  });

  it('skips an unreachable replica', async () => {
    const port = await startReplica(() => reserved);
    const client = connectTo(await freePort(), port);
    for (let i = 0; i < 4; i++) {
      expect(await client.reserveGas(message)).toEqual(reserved);
    }
  });

  it('skips an unreachable replica for every one of many concurrent calls', async () => {
    const port = await startReplica(() => reserved);
    const client = connectTo(await freePort(), port);
    const requests = Array.from({ length: 20 }, () => client.reserveGas(message));
    expect(await Promise.all(requests)).toEqual(requests.map(() => reserved));
  });

  it('goes to another replica when one is unavailable, which then rests', async () => {
    const refusal = { code: 'POOL_REFUSED', detail: 'it is stopping' };
    let refused = 0;
    const refuse = () => {
      refused += 1;
      throw new RpcException(refusal);
    };
    const port = await startReplica(refuse);
    const client = connectTo(port, await startReplica(() => reserved));
    for (let i = 0; i < 4; i++) {
      expect(await client.reserveGas(message)).toEqual(reserved);
    }
    expect(refused).toBe(1);
    await expect(connectTo(port).reserveGas(message)).rejects.toMatchObject(refusal);
  });

  it('throws the error of the coin-pool', async () => {
    const error = { code: 'NO_COINS', detail: '', retryAfterSecs: 3 };
    const client = connectTo(
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

  it('goes to another replica when one does not know the sponsor, whose key it may not have yet', async () => {
    const refusal = { code: 'INVALID_REQUEST', detail: 'no such sponsor' };
    const refuse = () => {
      throw new RpcException(refusal);
    };
    const ports = [await startReplica(refuse), await startReplica(() => reserved)];
    const client = connectTo(...ports);
    for (let i = 0; i < 4; i++) {
      expect(await client.reserveGas(message)).toEqual(reserved);
    }
    await expect(connectTo(ports[0]!).reserveGas(message)).rejects.toMatchObject(refusal);
  });

  it('goes to another replica when one does not know the message, which is then done once', async () => {
    let done = 0;
    const old = await startReplica(() => reserved);
    const current = await startReplica(
      () => (done += 1) && {},
      coinPoolPatterns.releaseReservation,
    );
    const release = { caller: 'default', reservationId: 64 };
    const client = connectTo(old, current);
    for (let i = 0; i < 4; i++) await client.releaseReservation(release);
    expect(done).toBe(4);
  });

  it('asks callers to repeat a call, and the operator to upgrade, when every coin-pool is too old', async () => {
    const port = await startReplica(() => reserved);
    const client = connectTo(port);
    const refused = client.readUsages({ counters: [] });
    await expect(refused).rejects.toMatchObject({
      status: 503,
      code: 'COIN_POOL_OUTDATED',
      retryAfterSecs: 5,
      message: 'The coin-pool is being upgraded; try again shortly',
      cause: new Error(
        `The coin-pool at 127.0.0.1:${port} is too old for the message read-usages: it does not know the message. ` +
          'Upgrade coin-pools before gateways, and roll gateways back before coin-pools.',
      ),
    });
    // It serves everything else.
    expect(await client.reserveGas(message)).toEqual(reserved);
  });

  it('skips a coin-pool that does not know the version of its messages, and names both versions', async () => {
    const detail = 'it understands messages up to version 1, and this one is of version 2';
    const refuse = () => {
      throw new RpcException({ code: 'COIN_POOL_OUTDATED', detail });
    };
    const port = await startReplica(refuse);
    const client = connectTo(port, await startReplica(() => reserved));
    for (let i = 0; i < 4; i++) expect(await client.reserveGas(message)).toEqual(reserved);
    await expect(connectTo(port).reserveGas(message)).rejects.toMatchObject({
      code: 'COIN_POOL_OUTDATED',
      cause: { message: expect.stringContaining(`reserve-gas: ${detail}. Upgrade coin-pools`) },
    });
  });

  it('treats an error code that only newer coin-pools know as no answer', async () => {
    const error = { code: 'FROM_THE_FUTURE', detail: 'x' };
    const port = await startReplica(() => {
      throw new RpcException(error);
    });
    await expect(connectTo(port).reserveGas(message)).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      status: 503,
    });
  });

  it('names its version', async () => {
    const seen: unknown[] = [];
    const client = connectTo(await startReplica((received) => seen.push(received) && reserved));
    await client.reserveGas(message);
    expect(seen).toEqual([{ ...message, version: MESSAGE_VERSION }]);
  });

  it('fails if the fields of its reply are not those of the DTO', async () => {
    const client = connectTo(
      await startReplica(() => ({ ...reserved, coins: [{ ...coin, version: '3' }] })),
    );
    await expect(client.reserveGas(message)).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      cause: new Error(
        'Invalid ReservedGas from a coin-pool: coins[0].version must be an integer from 0 to 9007199254740991; got "3"',
      ),
    });
  });

  it('is repeated at another replica after a lost answer only if it is idempotent', async () => {
    let callCount = 0;
    const never = () => {
      callCount += 1;
      return new Promise(() => undefined);
    };
    const ports = [await startReplica(never), await startReplica(never)];
    const client = connectTo(...ports);
    await expect(client.reserveGas(message)).rejects.toBeInstanceOf(ForecourtError);
    expect(callCount).toBe(1);
    await expect(client.checkPool()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(callCount).toBe(3);
  });
});

describe('the error of a message', () => {
  const refuse = (code: string) => () => {
    throw new RpcException({ code, detail: '' });
  };
  const { checkPool } = coinPoolPatterns;
  /** An error of a later release is read as no answer. */
  const lost = refuse('FROM_THE_FUTURE');

  it.each([
    ['no coin-pool is reachable', [null, null], true],
    ['every coin-pool refuses, or does not serve', [refuse('POOL_REFUSED'), null], true],
    ['one refuses what a caller asks for', [null, refuse('RESERVATION_USED')], true],
    ['the only one does not know the outcome', [refuse('OUTCOME_UNKNOWN')], false],
    ['its Redis may have failed meanwhile', [refuse('STORE_UNREACHABLE')], false],
    ['one does not answer, and the next ones refuse', [lost, refuse('POOL_REFUSED')], false],
    [
      'one does not answer, and the next refuses what a caller asks for',
      [lost, refuse('RESERVATION_USED')],
      false,
    ],
  ])('says whether the message is certainly not carried out: %s', async (_why, answers, is) => {
    const ports = [];
    for (const answer of answers) {
      ports.push(answer ? await startReplica(answer, checkPool) : await freePort());
    }
    const error: unknown = await connectTo(...ports)
      .checkPool()
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ForecourtError);
    expect(isUndone(error)).toBe(is);
  });
});

describe('a message to a coin-pool in the same process', () => {
  it('is answered, and fails with the same errors as over TCP', async () => {
    const error = { code: 'NO_COINS', detail: '', retryAfterSecs: 3 };
    const answers = [
      () => reserved,
      () => {
        throw new RpcException(error);
      },
    ];
    const client = await startLocally(() => answers.shift()!());
    expect(await client.reserveGas(message)).toEqual(reserved);
    await expect(client.reserveGas(message)).rejects.toMatchObject({ ...error, status: 503 });
    await expect(client.listSponsors()).rejects.toMatchObject({ code: 'COIN_POOL_OUTDATED' });
    await running[0]!.close();
    await expect(client.reserveGas(message)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });

  it('is answered by the coin-pool of this process after a client has closed', async () => {
    const client = await startLocally(() => reserved);
    client.onApplicationShutdown();
    expect(await client.reserveGas(message)).toEqual(reserved);
  });
});
