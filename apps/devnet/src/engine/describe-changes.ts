import type { BalanceChange, ObjectChange, Owner } from './engine-interface.js';
import type { ObjectWrite } from './execution-types.js';
import type { StoredObject } from './stored-object.js';

/** `objectChanges` as a node shows them. */
export function describeObjectChanges(
  sender: string,
  changes: readonly ObjectWrite[],
  lamportVersion: number,
): ObjectChange[] {
  return changes.map(({ before, after }): ObjectChange => {
    if (!after) {
      const { objectId, type } = before!;
      return { type: 'deleted', sender, objectType: type, objectId, version: lamportVersion };
    }
    const { owner, type: objectType, objectId, version, digest } = after;
    if (objectType === 'package') {
      return { type: 'published', packageId: objectId, version, digest, modules: after.modules };
    }
    const shown = { sender, owner, objectType, objectId, version, digest };
    return before
      ? { type: 'mutated', ...shown, previousVersion: before.version }
      : { type: 'created', ...shown };
  });
}

/** Balance changes per owner and coin type, without zero changes. */
export function describeBalanceChanges(changes: readonly ObjectWrite[]): BalanceChange[] {
  const sums = new Map<string, { owner: Owner; coinType: string; amount: bigint }>();
  const add = (object: StoredObject | null, sign: bigint) => {
    if (!object?.coin) return;
    const { coinType, balance } = object.coin;
    const key = `${JSON.stringify(object.owner)}|${coinType}`;
    const sum = sums.get(key) ?? { owner: object.owner, coinType, amount: 0n };
    sum.amount += sign * balance;
    sums.set(key, sum);
  };
  for (const { before, after } of changes) {
    add(before, -1n);
    add(after, 1n);
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}
