import { refuse } from './engine-error.js';
import type { ObjectReference } from './engine-interface.js';

interface Lock {
  readonly version: number;
  readonly digest: string;
  /** Whether the lock belongs to a transaction unknown here, so that only the end of the epoch releases it. */
  readonly foreign: boolean;
}

type Reference = Omit<ObjectReference, 'digest'>;

/** The least number that tolerates the loss of one; all have the same stake. */
export const VALIDATORS = 4;
const QUORUM = 3;
const STAKE = 100 / VALIDATORS;

/**
 * Which transaction may use which version of an owned object, from the view of each validator. A validator locks all owned
 * inputs of a transaction or none. Locks without a quorum last until the epoch ends.
 */
export class LockTable {
  readonly #validators = Array.from({ length: VALIDATORS }, () => new Map<string, Lock>());

  /** Asks every validator. Throws `EngineError` with the node's message when no quorum locks the inputs for this transaction. */
  take(references: readonly Reference[], digest: string): void {
    this.ask(references, digest, this.#validators.keys());
    const others = new Map<string, number>();
    let isForeign = false;
    let votes = 0;
    for (const locks of this.#validators) {
      const blocking = blockingLocks(locks, references, digest);
      if (blocking.length === 0) votes += 1;
      for (const lock of blocking) {
        others.set(lock.digest, (others.get(lock.digest) ?? 0) + 1);
        isForeign ||= lock.foreign;
      }
    }
    if (votes < QUORUM) throw conflict(others, isForeign);
  }

  /** Asks only these validators; those with conflicting locks do nothing. */
  ask(references: readonly Reference[], digest: string, validators: Iterable<number>): void {
    for (const validator of validators) {
      const locks = this.#validators[validator]!;
      if (blockingLocks(locks, references, digest).length > 0) continue;
      for (const { objectId, version } of references) {
        locks.set(objectId, { version, digest, foreign: false });
      }
    }
  }

  /** Half of the validators, if possible those without conflicting locks. */
  freeHalf(references: readonly Reference[], digest: string): readonly number[] {
    const half = VALIDATORS / 2;
    const first = Array.from({ length: half }, (_, index) => index);
    const isFree = first.every(
      (validator) => blockingLocks(this.#validators[validator]!, references, digest).length === 0,
    );
    return isFree ? first : first.map((validator) => validator + half);
  }

  takeForeign(objectId: string, version: number, digest: string): void {
    for (const locks of this.#validators) locks.set(objectId, { version, digest, foreign: true });
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
      if (lock) return lock.digest;
    }
    return null;
  }
}

/** One validator's locks of other transactions on these inputs. */
function blockingLocks(
  locks: ReadonlyMap<string, Lock>,
  references: readonly Reference[],
  digest: string,
): Lock[] {
  const blocking = new Map<string, Lock>();
  for (const { objectId, version } of references) {
    const lock = locks.get(objectId);
    if (lock && lock.version === version && lock.digest !== digest) blocking.set(lock.digest, lock);
  }
  return [...blocking.values()];
}

function conflict(others: ReadonlyMap<string, number>, isForeign: boolean) {
  const canLand = !isForeign && [...others.values()].some((validators) => validators >= QUORUM);
  const reason = canLand ? 'reserved for another transaction' : 'equivocated until the next epoch';
  const digests = [...others].map(
    ([digest, validators]) => `- ${digest} (stake ${(validators * STAKE).toFixed(1)})`,
  );
  return refuse(
    `Failed to sign transaction by a quorum of validators because one or more of its objects is ${reason}. ` +
      `Other transactions locking these objects:\n${digests.join('\n')}`,
  );
}
