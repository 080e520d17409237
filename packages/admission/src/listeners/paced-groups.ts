/** Between two connections of a group. */
const PACE_MS = 10;
/** The most that a connection waits, however many others the group has. */
const LONGEST_WAIT_MS = 3_000;
/** How long a group is paced after the last request that it sent ahead. */
const PACED_MS = 5_000;
const MOST_GROUPS = 10_000;

interface Pace {
  untilMs: number;
  /** When the next connection is read. */
  nextMs: number;
}

/**
 * Groups of clients that have sent requests ahead: their connections, which end and come again, are read one
 * after the other.
 */
export class PacedGroups {
  readonly #paces = new Map<string, Pace>();

  constructor(private readonly now = () => performance.now()) {}

  get size(): number {
    return this.#paces.size;
  }

  /** Notes that a group has sent a request ahead. */
  slow(group: string): void {
    const now = this.now();
    const pace = this.#paces.get(group) ?? { untilMs: 0, nextMs: now };
    pace.untilMs = now + PACED_MS;
    // The last one is that which was slowed latest.
    this.#paces.delete(group);
    this.#paces.set(group, pace);
    for (const [name, { untilMs }] of this.#paces) {
      if (untilMs >= now && this.#paces.size <= MOST_GROUPS) break;
      this.#paces.delete(name);
    }
  }

  /** How long a new connection of a group waits until it is read. */
  take(group: string): number {
    const now = this.now();
    const pace = this.#paces.get(group);
    if (pace === undefined || pace.untilMs < now) return 0;
    const endMs = Math.min(Math.max(pace.nextMs, now), now + LONGEST_WAIT_MS);
    pace.nextMs = endMs + PACE_MS;
    return endMs - now;
  }
}
