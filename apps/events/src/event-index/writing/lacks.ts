import type { EventSource } from '../../upstreams/event-source.js';
import { UnsupportedByUpstream } from '../../upstreams/unsupported-by-upstream.js';
import type { IndexSources } from './index-sources.js';

/** The answers of the nodes about one place: why none of them delivers it. */
export class Lacks {
  readonly #rounds = new Map<EventSource, number>();
  readonly #errors = new Map<EventSource, UnsupportedByUpstream>();

  constructor(private readonly sources: IndexSources) {}

  /** `lack`: null if the node does not answer. */
  add(source: EventSource, lack: UnsupportedByUpstream | null): void {
    this.#rounds.set(source, (this.#rounds.get(source) ?? 0) + 1);
    if (lack === null) this.#errors.delete(source);
    else this.#errors.set(source, lack);
  }

  clear(): void {
    this.#rounds.clear();
    this.#errors.clear();
  }

  /**
   * The lacks of all nodes, once each has been asked `rounds` times: a node may lag behind, or come back.
   * Null before, and if no node has answered.
   */
  conclude(rounds: number): readonly UnsupportedByUpstream[] | null {
    const isDone = this.sources.all.every((source) => (this.#rounds.get(source) ?? 0) >= rounds);
    const lacks = [...this.#errors.values()];
    return isDone && lacks.length > 0 ? lacks : null;
  }
}
