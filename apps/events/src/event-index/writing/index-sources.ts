import type { EventSource, LedgerIdentity } from '../../upstreams/event-source.js';
import { isOtherLedger } from '../../upstreams/ledger-identity.js';
import { UpstreamFailed, UnsupportedByUpstream } from '../../upstreams/upstream-errors.js';

/** The node serves another ledger than the index holds. */
export class OtherLedger extends UpstreamFailed {
  constructor(name: string, why = '') {
    super(`${name} serves another ledger than the index of events holds${why}`);
  }
}

/** The nodes that the index is written from, in order of preference. */
export class IndexSources {
  constructor(
    readonly all: readonly EventSource[],
    private readonly identity: () => LedgerIdentity | null,
  ) {}

  /** Throws `OtherLedger`. */
  async requireSameLedger(source: EventSource): Promise<void> {
    const known = this.identity();
    const found = await source.ledgerIdentity();
    if (known !== null && isOtherLedger(known, found)) throw new OtherLedger(source.name);
  }

  /** The error itself, unless it says what a node of another ledger lacks by now, which proves nothing. */
  async explain(source: EventSource, error: Error): Promise<Error> {
    if (!(error instanceof UnsupportedByUpstream)) return error;
    return this.requireSameLedger(source).then(
      () => error,
      (reason: Error) => reason,
    );
  }

  /** The first answer. Throws the last node's error. */
  async ask<T>(question: (source: EventSource) => Promise<T>): Promise<T> {
    let failure: unknown = new UpstreamFailed('no ledger node');
    for (const source of this.all) {
      try {
        await this.requireSameLedger(source);
        const answer = await question(source);
        await this.requireSameLedger(source);
        return answer;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

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
   * The lacks of all nodes, once each has been asked `rounds` times: a node may lag behind, or come back. Null before, and if no node
   * has answered.
   */
  conclude(rounds: number): readonly UnsupportedByUpstream[] | null {
    const isDone = this.sources.all.every((source) => (this.#rounds.get(source) ?? 0) >= rounds);
    const lacks = [...this.#errors.values()];
    return isDone && lacks.length > 0 ? lacks : null;
  }
}
