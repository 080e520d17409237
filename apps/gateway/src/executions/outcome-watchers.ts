import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ExecutionOutcome, ExecutionReply, RequestType } from '@forecourt/contracts';
import type { Effects } from './execute-request.js';

type Refused = Extract<ExecutionOutcome, { kind: 'refused' }>;
type Received = { readonly kind: 'executed'; readonly effects: Effects } | Refused;

/** The requests of this process that wait for a digest; several may wait for the same one. */
@Injectable()
export class OutcomeWatchers {
  /** Names this process to executors, which reply on its channel. */
  readonly gateway = randomUUID() as string;
  private readonly byDigest = new Map<string, Set<OutcomeWatch>>();

  /** Begins to listen for the outcome of a digest. The watch keeps what arrives until it is asked; it must be closed. */
  watch(digest: string, reservationId: number): OutcomeWatch {
    const watches = this.byDigest.get(digest) ?? new Set();
    const watch = new OutcomeWatch(reservationId, () => {
      watches.delete(watch);
      if (watches.size === 0 && this.byDigest.get(digest) === watches) this.byDigest.delete(digest);
    });
    watches.add(watch);
    this.byDigest.set(digest, watches);
    return watch;
  }

  /** Passes a reply on to every watch of its digest. */
  receive(reply: ExecutionReply): void {
    for (const watch of this.byDigest.get(reply.digest) ?? []) watch.receive(reply);
  }

  get size(): number {
    return this.byDigest.size;
  }
}

/** Collects the outcomes of one digest for one request. */
export class OutcomeWatch {
  private readonly replies: ExecutionReply[] = [];
  private wake: (() => void) | null = null;

  constructor(
    private readonly reservationId: number,
    readonly close: () => void,
  ) {}

  receive(reply: ExecutionReply): void {
    // An executed transaction is executed for every reservation; a refusal concerns one reservation only.
    const isForeign = reply.reservationId !== this.reservationId;
    if (isForeign && reply.outcome.kind === 'refused') return;
    this.replies.push(reply);
    this.wake?.();
  }

  /** The effects, if they have arrived, whatever kind of outcome the request waits for. */
  effects(): Effects | null {
    for (const { outcome } of this.replies) {
      if (outcome.kind === 'executed') return outcome.effects;
    }
    return null;
  }

  /** The outcome that this kind of request waits for, as soon as it arrives, or null after `waitMs`. */
  async next(fence: number, requestType: RequestType, waitMs: number): Promise<Received | null> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const received = this.answer(fence, requestType);
      if (received) return received;
      const left = deadline - performance.now();
      if (left <= 0) return null;
      await this.sleep(left);
    }
  }

  private answer(fence: number, requestType: RequestType): Received | null {
    const refused = this.replies.find(
      (reply) => reply.outcome.kind === 'refused' && reply.fence === fence,
    );
    if (refused) return refused.outcome as Refused;
    const effects = this.effects();
    if (!effects) return null;
    const isLocal = this.replies.some(({ outcome }) => outcome.kind === 'local');
    return requestType === 'waitForEffectsCert' || isLocal ? { kind: 'executed', effects } : null;
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
    });
  }
}
