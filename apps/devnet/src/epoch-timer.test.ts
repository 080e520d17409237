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

describe('the end of an epoch, as the system state tells it', () => {
  it('is when the epoch ends', async () => {
    await withDevnet({ DEVNET_EPOCH_SECONDS: '1' }, async (devnet) => {
      const told = await epochOf(devnet);
      const endedAt = await new Promise<number>((resolve) => {
        const stop = devnet.engine.onEpoch((epoch) => {
          if (epoch !== BigInt(told.epoch) + 1n) return;
          stop();
          resolve(Date.now());
        });
      });
      const due = told.startMs + told.durationMs;
      expect(endedAt).toBeGreaterThanOrEqual(due - 1);
      expect((await epochOf(devnet)).startMs).toBeGreaterThanOrEqual(due - 1);
    });
  });

  it('begins anew when the control interface ends an epoch', async () => {
    await withDevnet({ DEVNET_EPOCH_SECONDS: '3600' }, async (devnet) => {
      const before = Date.now();
      await devnet.control('POST', '/epoch');
      const { epoch, startMs, durationMs } = await epochOf(devnet);
      expect([epoch, durationMs]).toEqual([1, 3_600_000]);
      expect(startMs).toBeGreaterThanOrEqual(before);
    });
  });

  it('counts from the start of the process on a seeded chain, whose genesis is long past', async () => {
    const before = Date.now();
    await withDevnet({ DEVNET_SEED: 'a', DEVNET_EPOCH_SECONDS: '3600' }, async (devnet) => {
      const { epoch, startMs } = await epochOf(devnet);
      expect(epoch).toBe(0);
      expect(startMs).toBeGreaterThanOrEqual(before);
    });
  });
});
