import type { ActiveFault, Fault, FaultKind, Refusal } from './fault.js';

/** Transactions that execute later, with the refusal of submissions until then. */
class LateLandings {
  readonly #refusals = new Map<string, Refusal>();

  begin(digest: string, refusal: Refusal): void {
    this.#refusals.set(digest, refusal);
  }

  end(digest: string): void {
    this.#refusals.delete(digest);
  }

  /** Null for a submission without such a refusal. */
  refusalOf(digest: string): Refusal | null {
    return this.#refusals.get(digest) ?? null;
  }
}

/** All active faults. Checked on every call, so an empty board costs one comparison. */
export class FaultBoard {
  readonly lateLandings = new LateLandings();
  readonly #active = new Map<number, ActiveFault>();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #changeListeners = new Set<() => void>();
  #nextId = 1;

  /**
   * Sets a fault for `times` calls (null: until cleared) and at most `forMs` milliseconds (null: no limit).
   */
  set(fault: Fault, times: number | null, forMs: number | null): ActiveFault {
    const entry: ActiveFault = { id: this.#nextId++, fault, remaining: times, hits: 0 };
    this.#active.set(entry.id, entry);
    if (forMs !== null) {
      this.#timers.set(
        entry.id,
        setTimeout(() => this.clear(entry.id), forMs),
      );
    }
    this.changed();
    return entry;
  }

  get isEmpty(): boolean {
    return this.#active.size === 0;
  }

  list(): ActiveFault[] {
    return [...this.#active.values()];
  }

  /** Returns whether a fault with that id was active. */
  clear(id: number): boolean {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    const known = this.#active.delete(id);
    if (known) this.changed();
    return known;
  }

  clearAll(): void {
    for (const id of [...this.#active.keys()]) this.clear(id);
  }

  /** The first active fault of that kind that applies to this call; counts a hit. */
  take<K extends FaultKind>(
    kind: K,
    method: string,
    applies: (fault: Extract<Fault, { kind: K }>) => boolean = () => true,
  ): Extract<Fault, { kind: K }> | null {
    if (this.#active.size === 0) return null;
    for (const entry of this.#active.values()) {
      if (entry.fault.kind !== kind) continue;
      const fault = entry.fault as Extract<Fault, { kind: K }>;
      const named = 'method' in fault ? fault.method : undefined;
      if ((named !== undefined && named !== method) || !applies(fault)) continue;
      entry.hits += 1;
      if (entry.remaining !== null && --entry.remaining === 0) this.clear(entry.id);
      return fault;
    }
    return null;
  }

  /** The first active fault of that kind, without counting a hit. */
  peek<K extends FaultKind>(kind: K): Extract<Fault, { kind: K }> | null {
    for (const { fault } of this.#active.values()) {
      if (fault.kind === kind) return fault as Extract<Fault, { kind: K }>;
    }
    return null;
  }

  onChange(listener: () => void): void {
    this.#changeListeners.add(listener);
  }

  private changed(): void {
    for (const listener of this.#changeListeners) listener();
  }
}
