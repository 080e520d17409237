import { refuse } from './engine-error.js';
import type { ObjectReference } from './engine-interface.js';

interface Lock {
  readonly version: number;
  readonly digest: string;
  /** Whether the holder is not in flight here, so that only the epoch's end frees the lock. */
  readonly foreign: boolean;
}

/** Which transaction may use which version of an owned object. */
export class LockTable {
  readonly #locks = new Map<string, Lock>();

  /** Locks all or none; refuses with the node's text when another transaction holds one. */
  take(references: readonly Omit<ObjectReference, 'digest'>[], digest: string): void {
    const others = new Set<Lock>();
    for (const { objectId, version } of references) {
      const lock = this.#locks.get(objectId);
      if (lock && lock.version === version && lock.digest !== digest) others.add(lock);
    }
    if (others.size > 0) throw conflict([...others]);
    for (const { objectId, version } of references) {
      this.#locks.set(objectId, { version, digest, foreign: false });
    }
  }

  takeForeign(objectId: string, version: number, digest: string): void {
    this.#locks.set(objectId, { version, digest, foreign: true });
  }

  release(ids: Iterable<string>, digest: string): void {
    for (const id of ids) {
      if (this.#locks.get(id)?.digest === digest) this.#locks.delete(id);
    }
  }

  releaseAll(): void {
    this.#locks.clear();
  }

  holder(objectId: string): string | null {
    return this.#locks.get(objectId)?.digest ?? null;
  }
}

function conflict(locks: readonly Lock[]) {
  const digests = [...new Set(locks.map(({ digest }) => digest))];
  const reason = locks.some(({ foreign }) => foreign)
    ? 'equivocated until the next epoch'
    : 'reserved for another transaction';
  return refuse(
    `Failed to sign transaction by a quorum of validators because one or more of its objects is ${reason}. ` +
      `Other transactions locking these objects:\n${digests.map((each) => `- ${each} (stake 100.0)`).join('\n')}`,
  );
}
