import { describe, expect, it } from '@jest/globals';
import { firstValueFrom, from } from 'rxjs';
import { MessagesInFlight } from './messages-in-flight.js';

describe('a coin-pool that shuts down', () => {
  it('answers the messages in flight, refuses new ones, and ends after the last answer', async () => {
    const messages = new MessagesInFlight();
    const done = Promise.withResolvers<string>();
    const steps: string[] = [];
    const answer = firstValueFrom(messages.intercept(null, { handle: () => from(done.promise) }));
    const finished = messages.finish().then(() => steps.push('finished'));
    const late = messages.intercept(null, { handle: () => from(['late']) });
    await expect(firstValueFrom(late)).rejects.toMatchObject({ code: 'POOL_REFUSED' });
    steps.push('answered');
    done.resolve('reserved');
    expect(await answer).toBe('reserved');
    await finished;
    expect(steps).toEqual(['answered', 'finished']);
  });

  it('ends at once when nothing is in flight', async () => {
    await new MessagesInFlight().finish();
  });
});
