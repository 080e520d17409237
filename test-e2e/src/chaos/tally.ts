import type { Failpoint } from '@forecourt/runtime/failpoints';

/** Counts the disturbances of the system. */
export class Tally {
  /** By victim and kind: `executor, at random`, `Redis`, … */
  readonly kills = new Map<string, number>();
  readonly points = new Map<Failpoint, number>();
  readonly faults = new Map<string, number>();
  /** Times, in ms since 1970, in which Redis may have lost writes. */
  readonly losses: { readonly from: number; readonly to: number }[] = [];
  /** Events that no step caused. */
  readonly surprises: string[] = [];
  /** Time of the last kill or fault, by `performance.now()`. */
  lastDisturbance = performance.now();

  died(point: Failpoint): void {
    this.points.set(point, (this.points.get(point) ?? 0) + 1);
    this.killed(`${point.slice(0, point.indexOf(':'))}, at a named point`);
  }

  killed(what: string): void {
    this.kills.set(what, (this.kills.get(what) ?? 0) + 1);
    this.lastDisturbance = performance.now();
  }

  injected(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    this.lastDisturbance = performance.now();
  }

  get killsInAll(): number {
    return [...this.kills.values()].reduce((sum, count) => sum + count, 0);
  }
}
