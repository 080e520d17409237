import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { MessageHandler } from '@nestjs/microservices';
import { NO_MESSAGE_HANDLER } from '@nestjs/microservices/constants.js';
import { finalize, firstValueFrom, from, throwError, timeout } from 'rxjs';
import { logFields, withLogFields } from '../service/index.js';
import { DirectServer } from './direct-server.js';

const PATTERN = { cmd: 'add' };

let server: DirectServer;
beforeEach(() => {
  server = new DirectServer();
  server.listen(() => undefined);
});

const answerWith = (handler: MessageHandler) => server.addHandler(PATTERN, handler);
const send = (message: object) => firstValueFrom(server.client.send<unknown>(PATTERN, message));

describe('a message inside a process', () => {
  it('is the object that was sent, and its reply the one that was returned', async () => {
    const [message, reply] = [{}, {}];
    const received: unknown[] = [];
    answerWith(async (data) => {
      received.push(data);
      return from([reply]);
    });
    expect(await send(message)).toBe(reply);
    expect(received[0]).toBe(message);
  });

  it('is handled in the context of its sender', async () => {
    answerWith(async () => from([logFields()]));
    expect(await withLogFields({ requestId: 'r' }, () => send({}))).toEqual({ requestId: 'r' });
  });

  it('fails with the error of its handler', async () => {
    const error = { code: 'NO_COINS', detail: '', retryAfterSecs: 3 };
    answerWith(async () => throwError(() => error));
    await expect(send({})).rejects.toBe(error);
    answerWith(() => Promise.reject(new Error('broken')));
    await expect(send({})).rejects.toThrow('broken');
  });

  it('is handled to the end when its sender no longer waits', async () => {
    const handled = Promise.withResolvers<object>();
    let ended = false;
    answerWith(async () => from(handled.promise).pipe(finalize(() => (ended = true))));
    const sent = server.client.send<unknown>(PATTERN, {}).pipe(timeout(1));
    await expect(firstValueFrom(sent)).rejects.toThrow('Timeout');
    expect(ended).toBe(false);
    handled.resolve({});
    await delay(0);
    expect(ended).toBe(true);
  });

  it('is refused without a handler, and unless the service listens', async () => {
    await expect(send({})).rejects.toBe(NO_MESSAGE_HANDLER);
    server.close();
    await expect(send({})).rejects.toThrow('does not listen');
  });
});
