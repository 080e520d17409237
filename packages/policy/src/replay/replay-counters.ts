import type { TrafficRecord } from '@forecourt/contracts';
import type { KnownUsage, KnownUsages, UsageCheck } from '../access/index.js';

interface Counter {
  readonly endsAt: number;
  used: bigint;
}

/** The change of a counter when its transaction has ended. */
interface Correction {
  readonly time: number;
  readonly counter: Counter;
  readonly delta: bigint;
}

type SettledRecord = Pick<
  TrafficRecord,
  'at' | 'sponsor' | 'refusal' | 'ended_at' | 'executed' | 'counted'
>;

/**
 * The counters of limits in a replay, which begin unused. As in a pool, a window begins with the first
 * transaction that counts, and an amount is corrected to the cost when its transaction ends. Each sponsor has
 * its own. Records come in the order of time.
 */
export class ReplayCounters {
  readonly #counters = new Map<string, Counter>();
  /** In the order of time. */
  readonly #corrections: Correction[] = [];

  /** The counters of a sponsor at a time. */
  usagesAt(sponsor: string, now: number): KnownUsages {
    this.correctUntil(now);
    return { get: (name) => this.find(sponsor, name, now) };
  }

  /** Counts a transaction that is allowed in the counters that hold it, once in each. */
  count(record: SettledRecord, checks: readonly UsageCheck[]): void {
    const { at, sponsor, refusal, ended_at: endedAt, executed } = record;
    const held = new Map(checks.filter((check) => check.held).map((one) => [one.counter, one]));
    for (const [name, { amount, counts, windowMs }] of held) {
      const key = keyOf(sponsor ?? '', name);
      let counter = this.#counters.get(key);
      if (counter === undefined || counter.endsAt <= at) {
        counter = { endsAt: at + (windowMs ?? Infinity), used: 0n };
        this.#counters.set(key, counter);
      }
      counter.used += amount;
      // The cost of a refused transaction is unknown.
      if (refusal !== null || endedAt === null) continue;
      const final = counts === 'gas' ? BigInt(record.counted) : BigInt(executed);
      if (final !== amount) this.correctAt({ time: endedAt, counter, delta: final - amount });
    }
  }

  private find(sponsor: string, name: string, now: number): KnownUsage | undefined {
    const counter = this.#counters.get(keyOf(sponsor, name));
    if (counter === undefined || counter.endsAt <= now) return undefined;
    return { used: counter.used, endsInMs: counter.endsAt - now };
  }

  private correctAt(correction: Correction): void {
    // Transactions end nearly in the order in which they began.
    let index = this.#corrections.length;
    while (index > 0 && this.#corrections[index - 1]!.time > correction.time) index -= 1;
    this.#corrections.splice(index, 0, correction);
  }

  private correctUntil(now: number): void {
    let due = 0;
    for (; due < this.#corrections.length; due += 1) {
      const { time: endedAt, counter, delta } = this.#corrections[due]!;
      if (endedAt > now) break;
      counter.used += delta;
    }
    if (due > 0) this.#corrections.splice(0, due);
  }
}

function keyOf(sponsor: string, counter: string): string {
  return `${sponsor} ${counter}`;
}
