import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { MessageHandler } from '@nestjs/microservices';
import { NO_MESSAGE_HANDLER } from '@nestjs/microservices/constants.js';
import { throwError } from 'rxjs';
import { within } from '../async/index.js';
import { logFields, withLogFields } from '../service/index.js';
import { DirectServer } from './direct-server.js';

const PATTERN = { cmd: 'add' };

let server: DirectServer;
beforeEach(() => {
  server = new DirectServer();
  server.listen(() => undefined);
});

const answerWith = (handler: MessageHandler) => server.addHandler(PATTERN, handler);
const send = async (message: object) => {
  await server.connect();
  return server.request(PATTERN, message);
};

describe('a message inside a process', () => {
  it('is the object that was sent, and its reply the one that was returned', async () => {
    const [message, reply] = [{}, {}];
    const received: unknown[] = [];
    answerWith(async (data) => {
      received.push(data);
      return reply;
    });
    expect(await send(message)).toBe(reply);
    expect(received[0]).toBe(message);
  });

  it('is handled in the context of its sender', async () => {
    answerWith(async () => logFields());
    expect(await withLogFields({ requestId: 'r' }, () => send({}))).toEqual({ requestId: 'r' });
  });

  it('fails with the error of its handler', async () => {
    const error = { code: 'NO_COINS', detail: '', retryAfterSecs: 3 };
    answerWith(async () => throwError(() => error));
    await expect(send({})).rejects.toBe(error);
  });

  it('fails with the unforeseen error of its handler', async () => {
    answerWith(() => Promise.reject(new Error('broken')));
    await expect(send({})).rejects.toThrow('broken');
  });

  it('is handled to the end when its sender no longer waits', async () => {
    const handled = Promise.withResolvers<void>();
    let ended = false;
    answerWith(async () => {
      await handled.promise;
      ended = true;
    });
    await expect(within(send({}), 1, 'It')).rejects.toThrow('It took longer');
    expect(ended).toBe(false);
    handled.resolve();
    await delay(0);
    expect(ended).toBe(true);
  });

  it('is refused without a handler, and unless the service listens', async () => {
    await expect(send({})).rejects.toBe(NO_MESSAGE_HANDLER);
    server.close();
    await expect(send({})).rejects.toThrow('does not listen');
  });
});
