import { describe, expect, it } from '@jest/globals';
import { DirectServer } from '@forecourt/runtime/transport';
import { MessagesInFlight } from './messages-in-flight.js';

const PATTERN = { cmd: 'reserve' };

/** A server that answers each message with what `answer` returns. */
function serverOf(messages: MessagesInFlight, answer: () => unknown): DirectServer {
  const server = new DirectServer();
  messages.attachTo(server);
  server.addHandler(PATTERN, async () => answer());
  return server;
}

describe('a coin-pool that shuts down', () => {
  it('answers the messages in flight, refuses new ones, and ends after the last answer', async () => {
    const messages = new MessagesInFlight();
    const done = Promise.withResolvers<string>();
    const steps: string[] = [];
    const handled: object[] = [];
    const server = serverOf(messages, () => handled.push({}) && done.promise);
    const answer = server.request(PATTERN, {});
    const finished = messages.finish().then(() => steps.push('finished'));
    const late = server.request(PATTERN, {});
    await expect(late).rejects.toEqual({ code: 'POOL_REFUSED', detail: 'shutting down' });
    expect(handled).toHaveLength(1);
    steps.push('answered');
    done.resolve('reserved');
    expect(await answer).toBe('reserved');
    await finished;
    expect(steps).toEqual(['answered', 'finished']);
  });

  it('counts a message until its handler fails', async () => {
    const messages = new MessagesInFlight();
    const failing = Promise.withResolvers<object>();
    const failure = new Error('broken');
    const answer = serverOf(messages, () => failing.promise).request(PATTERN, {});
    const finished = messages.finish();
    failing.reject(failure);
    await expect(answer).rejects.toBe(failure);
    await finished;
  });

  it('answers with an object when a handler returns nothing', async () => {
    const server = serverOf(new MessagesInFlight(), () => undefined);
    expect(await server.request(PATTERN, {})).toEqual({});
  });

  it('ends at once when nothing is in flight', async () => {
    await new MessagesInFlight().finish();
  });
});
