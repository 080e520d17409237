import { LockConflict } from './lock-conflict.js';
import type { ObjectReference } from './engine-interface.js';

interface Lock {
  readonly reference: ObjectReference;
  readonly digest: string;
  /** Whether the lock belongs to a transaction unknown here, so that the transaction can never release it. */
  readonly foreign: boolean;
  /** In ms since 1970; infinite for a lock that lasts until the epoch ends. */
  readonly expiresAt: number;
}

/** The least number that tolerates the loss of one; all have the same stake. */
const VALIDATORS = 4;
const QUORUM = 3;
const STAKE = 100 / VALIDATORS;

/**
 * The transaction that may use a version of an owned object, from the view of each validator. A validator
 * locks all owned inputs of a transaction or none. Locks without a quorum last until the epoch ends, or until
 * they expire where locks are soft.
 */
export class LockTable {
  readonly #validators = Array.from({ length: VALIDATORS }, () => new Map<string, Lock>());
  /** Duration of future locks; null: until the epoch ends. */
  lifetimeMs: number | null = null;

  constructor(private readonly now: () => number) {}

  /**
   * Requests the locks from every validator. Throws `LockConflict` when no quorum locks the inputs for this
   * transaction.
   */
  take(references: readonly ObjectReference[], digest: string): void {
    this.ask(references, digest, this.#validators.keys());
    const blocking = this.#validators.map((locks) => this.blocking(locks, references, digest));
    const votes = blocking.filter((locks) => locks.length === 0).length;
    if (votes < QUORUM) throw conflict(blocking);
  }

  /** Requests the locks from these validators only; those with conflicting locks do nothing. */
  ask(references: readonly ObjectReference[], digest: string, validators: Iterable<number>): void {
    const expiresAt = this.expiry();
    for (const validator of validators) {
      const locks = this.#validators[validator]!;
      if (this.blocking(locks, references, digest).length > 0) continue;
      for (const reference of references) {
        locks.set(reference.objectId, { reference, digest, foreign: false, expiresAt });
      }
    }
  }

  /** Half of the validators, if possible those without conflicting locks. */
  freeHalf(references: readonly ObjectReference[], digest: string): readonly number[] {
    const half = VALIDATORS / 2;
    const first = Array.from({ length: half }, (_, index) => index);
    const isFree = first.every(
      (validator) => this.blocking(this.#validators[validator]!, references, digest).length === 0,
    );
    return isFree ? first : first.map((validator) => validator + half);
  }

  takeForeign(reference: ObjectReference, digest: string): void {
    const lock = { reference, digest, foreign: true, expiresAt: this.expiry() };
    for (const locks of this.#validators) locks.set(reference.objectId, lock);
  }

  release(ids: Iterable<string>, digest: string): void {
    for (const id of ids) {
      for (const locks of this.#validators) {
        if (locks.get(id)?.digest === digest) locks.delete(id);
      }
    }
  }

  releaseAll(): void {
    for (const locks of this.#validators) locks.clear();
  }

  /** The transaction that has locked an object at one validator at least. */
  holder(objectId: string): string | null {
    for (const locks of this.#validators) {
      const lock = locks.get(objectId);
      if (lock && this.holds(lock)) return lock.digest;
    }
    return null;
  }

  private expiry(): number {
    return this.lifetimeMs === null ? Infinity : this.now() + this.lifetimeMs;
  }

  private holds({ expiresAt }: Lock): boolean {
    return expiresAt > this.now();
  }

  /** One validator's locks of other transactions on these inputs. */
  private blocking(
    locks: ReadonlyMap<string, Lock>,
    references: readonly ObjectReference[],
    digest: string,
  ): Lock[] {
    return references.flatMap(({ objectId, version }) => {
      const lock = locks.get(objectId);
      const blocks = lock?.reference.version === version && lock.digest !== digest;
      return blocks && this.holds(lock) ? [lock] : [];
    });
  }
}

function conflict(blocking: readonly (readonly Lock[])[]): LockConflict {
  const validators = new Map<string, number>();
  const locked = new Map<string, Map<string, ObjectReference>>();
  for (const locks of blocking) {
    for (const digest of new Set(locks.map((lock) => lock.digest))) {
      validators.set(digest, (validators.get(digest) ?? 0) + 1);
    }
    for (const { digest, reference } of locks) {
      const references = locked.get(digest) ?? new Map<string, ObjectReference>();
      locked.set(digest, references.set(reference.objectId, reference));
    }
  }
  const isForeign = blocking.flat().some(({ foreign }) => foreign);
  const canLand = !isForeign && [...validators.values()].some((count) => count >= QUORUM);
  const reason = canLand ? 'reserved for another transaction' : 'equivocated until the next epoch';
  const digests = [...validators].map(
    ([digest, count]) => `- ${digest} (stake ${(count * STAKE).toFixed(1)})`,
  );
  return new LockConflict(
    `Failed to sign transaction by a quorum of validators because one or more of its objects is ${reason}. ` +
      `Other transactions locking these objects:\n${digests.join('\n')}`,
    new Map([...locked].map(([digest, references]) => [digest, [...references.values()]])),
  );
}
