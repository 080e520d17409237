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
      const told = await epochOf(devnet);
      const endedAt = await new Promise<number>((resolve) => {
        devnet.engine.changes.on('epoch', (epoch) => {
          if (epoch === BigInt(told.epoch) + 1n) resolve(Date.now());
        });
      });
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
