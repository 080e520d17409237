import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ForecourtError, ReleaseReservationMessage } from '@forecourt/contracts';
import { freePort } from '@forecourt/testing/redis';
import { Catch, Controller, Module, UseFilters, UsePipes } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type CustomTransportStrategy, MessagePattern, Payload } from '@nestjs/microservices';
import { firstValueFrom, throwError } from 'rxjs';
import { createMessageClient, createMessageServer } from './message-transport.js';
import { DirectServer } from './direct-server.js';
import { ReadMessage } from './read-message.js';

@Catch()
class AnswerError {
  catch({ code, message }: ForecourtError) {
    return throwError(() => ({ code, message }));
  }
}

const PATTERN = { cmd: 'receive' };
const MESSAGE = { caller: 'a', reservationId: 1 };
const WRONG = { ...MESSAGE, caller: '' };

let received: unknown[] = [];

@Controller()
@UsePipes(ReadMessage)
@UseFilters(AnswerError)
class Receiver {
  @MessagePattern(PATTERN)
  receive(@Payload() message: ReleaseReservationMessage): object {
    received.push(message);
    return {};
  }
}

@Module({ controllers: [Receiver] })
class ReceiverModule {}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  received = [];
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listen(strategy: CustomTransportStrategy): Promise<void> {
  const app = await NestFactory.createMicroservice(ReceiverModule, { strategy, logger: false });
  await app.listen();
  closing.push(() => app.close());
}

type Send = (message: object) => Promise<unknown>;

async function overNetwork(): Promise<Send> {
  const endpoint = { host: '127.0.0.1', port: await freePort(), fleetSecrets: [] };
  await listen(createMessageServer(endpoint));
  const client = createMessageClient(endpoint);
  closing.push(() => client.close());
  return (message) => firstValueFrom(client.send<object>(PATTERN, message));
}

async function inProcess(): Promise<Send> {
  const server = new DirectServer();
  await listen(server);
  return (message) => server.request(PATTERN, message);
}

describe('a message', () => {
  it('from a network is read as its DTO, and refused where it does not match', async () => {
    const send = await overNetwork();
    await send({ ...MESSAGE, other: 1 });
    expect(received).toEqual([MESSAGE]);
    expect(received[0]).toBeInstanceOf(ReleaseReservationMessage);
    await expect(send(WRONG)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message:
        'Invalid ReleaseReservationMessage: caller must be text of 1 to 4096 characters; got ""',
    });
    await expect(send({ ...MESSAGE, version: 99 })).rejects.toMatchObject({
      code: 'COIN_POOL_OUTDATED',
    });
    expect(received).toHaveLength(1);
  });

  it('of this process is not read a second time: the handler has what was sent', async () => {
    const send = await inProcess();
    const sent = [
      { ...MESSAGE, other: 1 },
      { ...WRONG, version: 99 },
    ];
    for (const message of sent) await send(message);
    expect(received).toEqual(sent);
    expect(received.map((message, index) => message === sent[index])).toEqual([true, true]);
  });

  it('from a network that is equal to one of this process is read all the same', async () => {
    const [direct, remote] = [await inProcess(), await overNetwork()];
    await direct(WRONG);
    await expect(remote(WRONG)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
