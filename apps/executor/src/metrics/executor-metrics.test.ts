import { describe, expect, it } from '@jest/globals';
import { Metrics } from '@forecourt/runtime/metrics';
import { ExecutorMetrics } from './executor-metrics.js';

const SPENT = 'forecourt_gas_spent_smallest_unit_total';

/** The counted gas costs, by token and rule. */
async function spentOf(metrics: Metrics): Promise<string[]> {
  const { text } = await metrics.expose();
  return text.split('\n').filter((line) => line.startsWith(SPENT));
}

describe('the metric of spent gas', () => {
  it('counts by token and rule, for all users of a token together', async () => {
    const metrics = new Metrics();
    const { countCost } = new ExecutorMetrics(metrics);
    countCost('shop', '', 5n);
    countCost('shop:0xa', 'swaps', 7n);
    countCost('shop:0xb', 'swaps', 11n);
    expect(await spentOf(metrics)).toEqual([
      `${SPENT}{token="shop",rule="none"} 5`,
      `${SPENT}{token="shop",rule="swaps"} 18`,
    ]);
  });

  it('merges tokens and rules beyond the first thousand', async () => {
    const metrics = new Metrics();
    const { countCost } = new ExecutorMetrics(metrics);
    for (let number = 0; number < 1_003; number++) countCost('shop', `rule ${number}`, 1n);
    countCost('shop', 'rule 0', 1n);
    const lines = await spentOf(metrics);
    expect(lines).toHaveLength(1_001);
    expect(lines).toContain(`${SPENT}{token="shop",rule="rule 0"} 2`);
    expect(lines).toContain(`${SPENT}{token="others",rule="others"} 3`);
  });
});

describe('a measured step of an execution', () => {
  it('returns its result, and is measured whether it succeeds or throws', async () => {
    const metrics = new Metrics();
    const executor = new ExecutorMetrics(metrics);
    expect(await executor.step('sign', async () => 7)).toBe(7);
    const failing = executor.step('sign', () => Promise.reject(new Error('no key')));
    await expect(failing).rejects.toThrow('no key');
    const { text } = await metrics.expose();
    expect(text).toContain('forecourt_execution_step_duration_seconds_count{step="sign"} 2');
  });
});
