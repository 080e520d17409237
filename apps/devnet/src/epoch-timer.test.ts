import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { startTestDevnet, type TestDevnet } from './testing/start-test-devnet.test-support.js';

async function withDevnet(env: Record<string, string>, use: (devnet: TestDevnet) => Promise<void>) {
  const devnet = await startTestDevnet(env);
  try {
    await use(devnet);
  } finally {
    await devnet.stop();
  }
}

async function epochOf({ client }: TestDevnet) {
  const state = await client.getLatestIotaSystemState();
  return {
    epoch: Number(state.epoch),
    startMs: Number(state.epochStartTimestampMs),
    durationMs: Number(state.epochDurationMs),
  };
}

describe('EpochTimer', () => {
  it('ends an epoch at the time in the system state', async () => {
    await withDevnet({ DEVNET_EPOCH_SECONDS: '1' }, async (devnet) => {
      const endings = new Map<number, number>();
      const ended = new EventEmitter();
      devnet.engine.changes.on('epoch', (epoch) => {
        endings.set(Number(epoch), Date.now());
        ended.emit('epoch');
      });
      const told = await epochOf(devnet);
      // On a busy machine the epoch may have ended since the answer was made.
      while (!endings.has(told.epoch + 1)) await once(ended, 'epoch');
      const endedAt = endings.get(told.epoch + 1)!;
      const due = told.startMs + told.durationMs;
      expect(endedAt).toBeGreaterThanOrEqual(due - 1);
      expect((await epochOf(devnet)).startMs).toBeGreaterThanOrEqual(due - 1);
    });
  });

  it('starts a full epoch after the control interface has ended one', async () => {
    await withDevnet({ DEVNET_EPOCH_SECONDS: '3600' }, async (devnet) => {
      const before = Date.now();
      await devnet.control('POST', '/epoch');
      const { epoch, startMs, durationMs } = await epochOf(devnet);
      expect([epoch, durationMs]).toEqual([1, 3_600_000]);
      expect(startMs).toBeGreaterThanOrEqual(before);
    });
  });

  it('counts from the start of the process on a seeded chain', async () => {
    const before = Date.now();
    await withDevnet({ DEVNET_SEED: 'a', DEVNET_EPOCH_SECONDS: '3600' }, async (devnet) => {
      const { epoch, startMs } = await epochOf(devnet);
      expect(epoch).toBe(0);
      expect(startMs).toBeGreaterThanOrEqual(before);
    });
  });
});
