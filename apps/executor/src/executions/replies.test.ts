import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CoinStoreRedis } from '@forecourt/coin-store';
import { executionReplyChannel, type Waiter } from '@forecourt/contracts';
import { DirectReplies, type Logger } from '@forecourt/runtime/service';
import type { TransactionEffects } from '@forecourt/ledger';
import { partial, useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import type { ExecutorConfig } from '../executor-config.js';
import { Replies } from './replies.js';

const JOB = {
  version: 1,
  sponsor: `0x${'a'.repeat(64)}`,
  reservationId: 7,
  digest: 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9',
  fence: 3,
};
const GATEWAYS = ['one', 'two'];
const WAIT_MS = 1_234;

const redis = useRedis((url) => new Redis(url));
let subscriber: Redis;
/** The gateways' received messages, in order. */
const heard: { gateway: string; reply: unknown }[] = [];
beforeAll(async () => {
  subscriber = redis.duplicate();
  await subscriber.subscribe(...GATEWAYS.map(executionReplyChannel));
  subscriber.on('message', (channel: string, text: string) => {
    const gateway = GATEWAYS.find((name) => executionReplyChannel(name) === channel)!;
    heard.push({ gateway, reply: JSON.parse(text) });
  });
});
afterAll(() => subscriber.disconnect());

const waiter = (gateway: string, requestType: Waiter['requestType']): Waiter => ({
  gateway,
  requestType,
});

/** Replies by a Redis, where the read node shows transactions when `localExecution` resolves. */
function create(connection: Pick<Redis, 'publish'> = redis) {
  const localExecution = Promise.withResolvers<void>();
  const requests: unknown[] = [];
  const warnings: unknown[] = [];
  const ledger = {
    waitForLocalExecution: async (...call: unknown[]) => {
      requests.push(call);
      await localExecution.promise;
      return true;
    },
  };
  const logger = { warn: (fields: unknown) => void warnings.push(fields) } as unknown as Logger;
  const settings = partial<ExecutorConfig>({ localExecutionWaitMs: WAIT_MS });
  const direct = new DirectReplies();
  const replies = new Replies(
    connection as CoinStoreRedis,
    partial(ledger),
    settings,
    logger,
    direct,
  );
  return { replies, direct, localExecution, requests, warnings };
}

/** Waits for all messages published before. */
async function hearAll(): Promise<typeof heard> {
  await redis.publish(executionReplyChannel('one'), '"end"');
  while (heard.at(-1)?.reply !== 'end') await once(subscriber, 'message');
  return heard.splice(0).slice(0, -1);
}

describe('replies to gateways that wait', () => {
  it('include a second one when the read node shows the transaction', async () => {
    const { replies, localExecution, requests } = create();
    replies.followUp(JOB, [waiter('one', 'waitForLocalExecution')]);
    expect(requests).toEqual([[JOB.digest, WAIT_MS]]);
    let isSent = false;
    const sent = replies.untilSent().then(() => (isSent = true));
    expect([await hearAll(), isSent]).toEqual([[], false]);
    localExecution.resolve();
    await sent;
    const { reservationId, digest, fence } = JOB;
    const reply = { reservationId, digest, fence, outcome: { kind: 'local' } };
    expect(await hearAll()).toEqual([{ gateway: 'one', reply }]);
  });

  it('send a refusal to each gateway once, however many of its callers wait', async () => {
    const { replies } = create();
    const waiters = ['one', 'two', 'one'].map((name) => waiter(name, 'waitForEffectsCert'));
    await replies.sendRefusal(JOB, waiters, 'the gas price is too low');
    const told = await hearAll();
    expect(told.map(({ gateway }) => gateway).sort()).toEqual(GATEWAYS);
    for (const { reply } of told) {
      expect(reply).toMatchObject({
        outcome: { kind: 'refused', message: 'the gas price is too low' },
      });
    }
  });

  it('reach every request of this process without Redis, and other gateways over it', async () => {
    const { replies, direct } = create();
    const received: unknown[] = [];
    for (let request = 0; request < 2; request++) {
      direct.await(JOB.digest, { receive: ({ outcome }) => void received.push(outcome) });
    }
    direct.await('another', { receive: () => void received.push('of another transaction') });
    const effects = partial<TransactionEffects>({ transactionDigest: JOB.digest });
    const waiters = [direct.gateway, 'one'].map((name) => waiter(name, 'waitForEffectsCert'));
    await replies.sendEffects(JOB, waiters, effects);
    const outcome = { kind: 'executed', effects };
    expect(received).toEqual([outcome, outcome]);
    const { reservationId, digest, fence } = JOB;
    const reply = { reservationId, digest, fence, outcome };
    expect(await hearAll()).toEqual([{ gateway: 'one', reply }]);
    const publish = () => Promise.reject(new Error('There is another gateway'));
    const alone = create({ publish });
    await alone.replies.sendRefusal(JOB, [waiter(alone.direct.gateway, 'waitForEffectsCert')], 'a');
    expect(alone.warnings).toEqual([]);
  });

  it('are awaited here until the last request of this process has ended its wait', () => {
    const { replies, direct } = create();
    const ends = [1, 2].map(() => direct.await(JOB.digest, { receive: () => undefined }));
    for (const end of ends) {
      expect([JOB.digest, 'another'].map((one) => replies.areAwaitedHere(one))).toEqual([
        true,
        false,
      ]);
      end();
    }
    expect(replies.areAwaitedHere(JOB.digest)).toBe(false);
  });

  it('are logged without an error when Redis does not take them', async () => {
    const publish = () => Promise.reject(new Error('Connection is closed.'));
    const { replies, warnings } = create({ publish });
    await replies.sendRefusal(JOB, [waiter('one', 'waitForEffectsCert')], 'refused');
    expect(warnings).toEqual([
      { digest: JOB.digest, error: expect.stringContaining('Connection is closed.') },
    ]);
  });
});
