import type { Sponsorship } from '@forecourt/contracts';
import type { RecentFigures } from '@forecourt/contracts/http';
import type { StreamedRecord } from './change-reader.js';

const WINDOW_MS = 60_000;
const SECOND_MS = 1_000;
/** Latencies that are kept of one second, for the percentiles. */
const MOST_LATENCIES = 500;
const LEDGER_REFUSAL = 'REFUSED_BY_LEDGER';

interface Second {
  readonly at: number;
  readonly counts: { sponsored: number; failed: number; expired: number; released: number };
  readonly refused: Map<string, number>;
  readonly unserved: Map<string, number>;
  readonly latencies: number[];
}

/** The numbers of the last minute, or since the window was opened. */
export class FigureWindow {
  readonly #openedAt: number;
  #seconds: Second[] = [];
  #executedAt: number | null = null;

  constructor(now: number) {
    this.#openedAt = now;
  }

  add(record: StreamedRecord, now: number): void {
    const second = this.secondOf(now);
    const refuse = (code: string) => second.refused.set(code, (second.refused.get(code) ?? 0) + 1);
    if (record.type === 'refusal') {
      const { code, status } = record.data;
      if (status >= 500) second.unserved.set(code, now);
      refuse(code);
      return;
    }
    const { status, outcome, refusals } = record.data;
    const { counts } = second;
    if (status === 'executed') {
      this.#executedAt = now;
      if (outcome === 'failure') counts.failed += 1;
      else counts.sponsored += 1;
      const latency = latencyOf(record.data);
      if (latency !== null && second.latencies.length < MOST_LATENCIES) {
        second.latencies.push(latency);
      }
    } else if (status === 'expired' || status === 'released') counts[status] += 1;
    else if (status === 'reserved' && refusals.length > 0) refuse(LEDGER_REFUSAL);
  }

  read(now: number): RecentFigures {
    this.forgetBefore(now - WINDOW_MS);
    const sum = (name: keyof Second['counts']) =>
      this.#seconds.reduce((total, { counts }) => total + counts[name], 0);
    const refused: Record<string, number> = {};
    for (const [code, count] of this.#seconds.flatMap((second) => [...second.refused])) {
      refused[code] = (refused[code] ?? 0) + count;
    }
    const latencies = this.#seconds.flatMap((second) => second.latencies).sort((a, b) => a - b);
    return {
      for_ms: Math.min(WINDOW_MS, Math.max(0, now - this.#openedAt)),
      sponsored: sum('sponsored'),
      failed: sum('failed'),
      expired: sum('expired'),
      released: sum('released'),
      refused,
      unserved_at: Object.fromEntries(this.#seconds.flatMap((second) => [...second.unserved])),
      executed_at: this.#executedAt,
      latency_ms:
        latencies.length === 0
          ? null
          : { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
    };
  }

  private secondOf(now: number): Second {
    const at = Math.floor(now / SECOND_MS) * SECOND_MS;
    const last = this.#seconds.at(-1);
    if (last !== undefined && last.at >= at) return last;
    this.forgetBefore(now - WINDOW_MS);
    const counts = { sponsored: 0, failed: 0, expired: 0, released: 0 };
    const second: Second = {
      at,
      counts,
      refused: new Map(),
      unserved: new Map(),
      latencies: [],
    };
    this.#seconds.push(second);
    return second;
  }

  private forgetBefore(time: number): void {
    this.#seconds = this.#seconds.filter(({ at }) => at > time);
  }
}

/** From the last claim to the outcome. */
function latencyOf({ timeline, ended_at: endedAt }: Sponsorship): number | null {
  const claimed = timeline.findLast(({ event }) => event === 'claimed');
  return claimed === undefined || endedAt === null ? null : Math.max(0, endedAt - claimed.at);
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}
