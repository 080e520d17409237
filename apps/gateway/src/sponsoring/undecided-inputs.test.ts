import { beforeEach, describe, expect, it } from '@jest/globals';
import { partial, useRedis } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { Redis } from 'ioredis';
import { type Undecided, UndecidedInputs } from './undecided-inputs.js';

const redis = useRedis((url) => new Redis(url));
const START = 1_700_000_000_000;
const MESSAGE = 'Could not find the referenced object 0x1';

let time = START;
let counted: string[] = [];
let looks = 0;
beforeEach(async () => {
  [time, counted, looks] = [START, [], 0];
  await redis.del('fc:first-look:A', 'fc:first-look:B', 'fc:first-look:any');
});

/** Null: nothing is left open. */
type Looked = (Omit<Undecided<unknown>, 'lookAgain'> & { lookAgain: () => Promise<Looked> }) | null;

/** A gateway whose node shows what is missing at the look of this number; 0: never. */
function aGateway(shownAt = 0, areMany = false) {
  const refused = {
    count: async (caller: string) => void counted.push(caller),
    uncount: async (caller: string) => void counted.splice(counted.indexOf(caller), 1),
  };
  const clock = { checkpointTime: async () => time };
  const undecided = new UndecidedInputs(partial(clock), redis, partial(refused));
  const look = async (): Promise<Looked> => {
    looks += 1;
    return looks === shownAt ? null : { message: MESSAGE, areMany, lookAgain: look };
  };
  const call = { caller: 'shop', pausesMs: [10, 10, 10] };
  return (digest = 'A') => undecided.decide({ ...call, digest }, look, (looked) => looked);
}

const open = expect.objectContaining({ code: 'INPUT_UNDECIDED', status: 503, detail: MESSAGE });
const refusal = expect.objectContaining({ code: 'REFUSED_BY_LEDGER', message: MESSAGE });

describe('inputs that the node does not show', () => {
  it('are waited for, and count against no caller once they show', async () => {
    await aGateway(3)();
    expect([looks, counted]).toEqual([3, []]);
    expect(await redis.exists('fc:first-look:A')).toBe(0);
  });

  it('end the wait undecided, and count once, however often the call is repeated', async () => {
    const gateway = aGateway();
    for (let call = 1; call <= 3; call++) {
      await expect(gateway()).rejects.toEqual(open);
      expect([looks, counted]).toEqual([4 * call, ['shop']]);
    }
  });

  it('do not count any more once a repeated call, at any gateway, finds them', async () => {
    await expect(aGateway()()).rejects.toEqual(open);
    await aGateway(looks + 1)();
    expect(counted).toEqual([]);
  });

  it('are not asked for in Redis while no call misses any', async () => {
    const requests: string[] = [];
    const monitor = await redis.monitor();
    monitor.on('monitor', (_time: string, [command, key]: [string, string]) => {
      requests.push(`${command.toLowerCase()} ${key}`);
    });
    const gateway = aGateway(1);
    await gateway();
    looks = 0;
    await gateway();
    await redis.echo('over');
    await waitUntil(async () => requests.at(-1) === 'echo over', { what: 'the last command' });
    monitor.disconnect();
    expect(requests).toEqual(['exists fc:first-look:any', 'echo over']);
  });

  it('are refused once the node has advanced by ten seconds since the first look of any call', async () => {
    await expect(aGateway()()).rejects.toEqual(open);
    time = START + 9_999;
    await expect(aGateway()()).rejects.toEqual(open);
    time = START + 10_000;
    const before = looks;
    await expect(aGateway()()).rejects.toEqual(refusal);
    expect(looks).toBe(before + 2);
    expect(counted).toEqual(['shop', 'shop']);
  });

  it('are looked at after the node’s time: what shows just then is not refused', async () => {
    await expect(aGateway()()).rejects.toEqual(open);
    time = START + 10_000;
    await aGateway(looks + 2)();
    expect(counted).toEqual([]);
  });

  it('of another transaction have a separate time', async () => {
    await expect(aGateway()('A')).rejects.toEqual(open);
    time = START + 10_000;
    await expect(aGateway()('B')).rejects.toEqual(open);
  });

  it('are not waited for when there are many of them', async () => {
    await expect(aGateway(0, true)()).rejects.toEqual(open);
    expect(looks).toBe(1);
    time = START + 10_000;
    await expect(aGateway(0, true)()).rejects.toEqual(refusal);
  });

  it('count with each repeated call that is not waited for', async () => {
    const gateway = aGateway(0, true);
    for (let call = 1; call <= 3; call++) {
      await expect(gateway()).rejects.toEqual(open);
      expect(counted).toHaveLength(call);
    }
  });

  it('are waited for by a hundred calls of a caller at most', async () => {
    const gateway = aGateway();
    const calls = Array.from({ length: 130 }, (_, i) => gateway(`many-${i}`));
    await Promise.allSettled(calls);
    expect(looks).toBe(130 + 100 * 3);
    expect(counted).toHaveLength(130);
  });

  it('are waited for again after a hundred calls of the caller have ended while others began', async () => {
    const remembering = {
      del: async () => 0,
      exists: async () => 1,
      get: async () => String(START),
      set: async () => 'OK' as const,
    };
    const refused = { count: async () => undefined, uncount: async () => undefined };
    const undecided = new UndecidedInputs(
      partial({ checkpointTime: async () => time }),
      partial<Redis>(remembering),
      partial(refused),
    );
    const decide = (digest: string, look: () => Promise<Looked>) =>
      undecided.decide({ caller: 'shop', digest, pausesMs: [1] }, look, (looked) => looked);
    const never = async (): Promise<Looked> => {
      looks += 1;
      return { message: MESSAGE, lookAgain: never };
    };
    // In each round the hundred leave at another point of the one call that begins.
    for (let turns = 0; turns < 16; turns++) {
      let show = () => {};
      const secondLook = new Promise<null>((resolve) => (show = () => resolve(null)));
      const untilShown = (onWait: () => void) => async () => {
        const lookAgain = () => (onWait(), secondLook);
        return { message: MESSAGE, lookAgain };
      };
      const calls: Promise<Looked>[] = [];
      for (let call = 0; call < 100; call++) {
        await new Promise<void>((isWaiting) =>
          calls.push(decide(`early-${call}`, untilShown(isWaiting))),
        );
      }
      calls.push(
        decide(
          'late',
          untilShown(() => {}),
        ),
      );
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      show();
      await Promise.allSettled(calls);
      looks = 0;
      await expect(decide('last', never)).rejects.toEqual(open);
      expect(looks).toBe(2);
    }
  });

  it('are never refused while it is unknown since when they are missing', async () => {
    const offline = { del: reject, exists: reject, get: reject, set: reject };
    const refused = { count: async () => undefined, uncount: async () => undefined };
    const clock = { checkpointTime: async () => time };
    const undecided = new UndecidedInputs(
      partial(clock),
      partial<Redis>(offline),
      partial(refused),
    );
    const look = async (): Promise<Looked> => {
      time += 1_000;
      return { message: MESSAGE, lookAgain: look };
    };
    const call = { caller: 'shop', digest: 'A', pausesMs: [1] };
    for (let repeated = 0; repeated < 12; repeated++) {
      await expect(undecided.decide(call, look, (looked) => looked)).rejects.toEqual(open);
    }
  });
});

const reject = () => Promise.reject(new Error('no Redis'));
