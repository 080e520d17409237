import type {
  ExecutionOutcome,
  ExecutionReply,
  FindReservationMessage,
} from '@forecourt/contracts';

/** The ledger's transaction effects, in its own JSON. */
export type Effects = Record<string, unknown>;
type Refused = Extract<ExecutionOutcome, { kind: 'refused' }>;
type Received = { readonly kind: 'executed'; readonly effects: Effects } | Refused;

/** The requests of this process that wait for a digest; several may wait for the same one. */
export class OutcomeWatches {
  readonly #byDigest = new Map<string, Set<OutcomeWatch>>();

  /** Begins to collect the outcomes of a request's transaction, until the watch is closed. */
  add(question: FindReservationMessage): OutcomeWatch {
    const { digest } = question;
    const watches = this.#byDigest.get(digest) ?? new Set();
    const watch = new OutcomeWatch(question, () => {
      watches.delete(watch);
      if (watches.size === 0 && this.#byDigest.get(digest) === watches) {
        this.#byDigest.delete(digest);
      }
    });
    watches.add(watch);
    this.#byDigest.set(digest, watches);
    return watch;
  }

  /** Passes a reply on to every watch of its digest. */
  receive(reply: ExecutionReply): void {
    for (const watch of this.#byDigest.get(reply.digest) ?? []) watch.receive(reply);
  }

  get size(): number {
    return this.#byDigest.size;
  }
}

/** Collects the outcomes of one digest for one request. */
export class OutcomeWatch {
  readonly #replies: ExecutionReply[] = [];
  #wake: (() => void) | null = null;

  constructor(
    readonly question: FindReservationMessage,
    readonly close: () => void,
  ) {}

  receive(reply: ExecutionReply): void {
    // An executed transaction is executed for every reservation; a refusal concerns one reservation only.
    const isForeign = reply.reservationId !== this.question.reservationId;
    if (isForeign && reply.outcome.kind === 'refused') return;
    this.#replies.push(reply);
    this.#wake?.();
  }

  /** The effects, if they have arrived, whichever kind of outcome the request waits for. */
  effects(): Effects | null {
    for (const { outcome } of this.#replies) {
      if (outcome.kind === 'executed') return outcome.effects;
    }
    return null;
  }

  /** The outcome of the claim with this fence that the request waits for, as soon as it arrives, or null after `waitMs`. */
  async next(fence: number, waitMs: number): Promise<Received | null> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const received = this.outcome(fence);
      if (received) return received;
      const left = deadline - performance.now();
      if (left <= 0) return null;
      await this.sleep(left);
    }
  }

  private outcome(fence: number): Received | null {
    const refused = this.#replies.find(
      (reply) => reply.outcome.kind === 'refused' && reply.fence === fence,
    );
    if (refused) return refused.outcome as Refused;
    const effects = this.effects();
    if (!effects) return null;
    const isLocal = this.#replies.some(({ outcome }) => outcome.kind === 'local');
    const isAnyNodeEnough = this.question.waiter.requestType === 'waitForEffectsCert';
    return isAnyNodeEnough || isLocal ? { kind: 'executed', effects } : null;
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}
