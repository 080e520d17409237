import { describe, expect, it } from '@jest/globals';
import type { Plan, Step } from './plan-chaos.js';
import { runChaos } from './run-chaos.js';
import { type Variant, variants } from './variants.js';

const PATCHING = new URL('./patch-on-load.mjs', import.meta.url).href;
const LOAD_MS = 2_000;
const plain = { plain: 1 };

function planOf({ steps = [] }: Variant): Plan {
  const end: Step = { kind: 'end the epoch' };
  return {
    steps: [...steps, end].map((step) => ({ step, pauseMs: LOAD_MS })),
    lives: { gateway: [], 'coin-pool': [], executor: [], history: [] },
    seldom: new Map(),
  };
}

describe('reports a violation when', () => {
  it.each(variants.map((variant) => [variant.what, variant] as const))(
    '%s',
    async (_what, variant) => {
      const report = await runChaos({
        seed: 1,
        kills: 0,
        rounds: 1,
        clients: 6,
        poolCoins: 40,
        recoveryBoundMs: variant.recoveryBoundMs ?? 10_000,
        replicas: { gateway: 1, 'coin-pool': 1, executor: 1, history: 1 },
        plan: planOf(variant),
        behaviours: variant.behaviours ?? plain,
        env: {
          NODE_OPTIONS: `--import=${PATCHING}`,
          FORECOURT_PATCHES: JSON.stringify(variant.patches),
        },
      });
      const broken = new Set(report.violations.map(({ invariant }) => invariant));
      expect([...broken]).toEqual(expect.arrayContaining([...variant.breaks]));
    },
    120_000,
  );
});
