import { afterEach, describe, expect, it } from '@jest/globals';
import { MemoryBudget, type MemoryConsumer } from './memory-budget.js';

describe('MemoryBudget', () => {
  let budget: MemoryBudget;
  afterEach(() => budget.close());

  const consumer = (client: string, usedBytes: number): MemoryConsumer & { isShed: boolean } => ({
    client,
    usedBytes,
    isShed: false,
    shed() {
      this.isShed = true;
    },
  });

  function budgetOf(perClient: number, inAll: number, ...consumers: MemoryConsumer[]) {
    budget = new MemoryBudget({ perClient, inAll }, () => undefined);
    for (const one of consumers) budget.add(one);
    budget.enforce();
  }

  it('sheds the largest consumer of a client beyond its limit', () => {
    const [small, large, other] = [consumer('a', 40), consumer('a', 70), consumer('b', 90)];
    budgetOf(100, 1_000, small, large, other);
    expect([small.isShed, large.isShed, other.isShed]).toEqual([false, true, false]);
    expect(budget.usedBytes).toBe(130);
  });

  it('sheds a consumer of the client that uses most, even if another client has the largest consumer', () => {
    const many = [consumer('greedy', 30), consumer('greedy', 30), consumer('greedy', 30)];
    const honest = consumer('honest', 40);
    budgetOf(1_000, 100, honest, ...many);
    expect(many.filter(({ isShed }) => isShed)).toHaveLength(1);
    expect(honest.isShed).toBe(false);
    expect(budget.shedCount).toBe(1);
  });

  it('enforces the limits soon after a large increase', async () => {
    const large = consumer('a', 0);
    budgetOf(100, 1_000, large);
    Object.assign(large, { usedBytes: 200 });
    budget.noteAdded(200);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(large.isShed).toBe(true);
  });
});
