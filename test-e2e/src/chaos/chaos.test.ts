import { describe, expect, it } from '@jest/globals';
import { type Failpoint, failpoints } from '@forecourt/runtime/failpoints';
import { chooseSeed } from '@forecourt/testing/seed';
import { runChaos } from './run-chaos.js';

const CLIENTS = 20;

describe('two gateways, two coin-pools and three executors that are killed at every step', () => {
  it('lose nothing, execute nothing twice, and recover', async () => {
    const seed = chooseSeed();
    process.stderr.write(`FORECOURT_SEED=${seed}\n`);
    const report = await runChaos({
      seed,
      kills: 26,
      rounds: 1,
      clients: CLIENTS,
      poolCoins: 120,
      recoveryBoundMs: 90_000,
      replicas: { gateway: 2, 'coin-pool': 2, executor: 3, history: 2 },
      say: (text) => process.stderr.write(`${text}\n`),
    });
    expect({ seed, violations: report.violations }).toEqual({ seed, violations: [] });
    expect(report.coinsLost).toBe(0);
    const points = Object.keys(failpoints) as Failpoint[];
    expect(points.filter((point) => !report.tally.points.has(point))).toEqual([]);
    expect(report.calls.length).toBeGreaterThan(2 * CLIENTS);
  }, 600_000);
});
