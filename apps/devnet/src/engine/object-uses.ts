import type { TransactionData } from './engine-interface.js';
import type { CallArgument, Program } from './transaction-data.js';
import { packagesOf } from './packages-of.js';

export type Reference = TransactionData['gasData']['payment'][number];
export type SharedUse = NonNullable<NonNullable<CallArgument['Object']>['SharedObject']>;

/** The payment, and its required owner. */
export interface Payment {
  readonly coins: readonly Reference[];
  readonly owner: string;
}

interface OwnedUse {
  readonly reference: Reference;
  /** The required owner's address. */
  readonly signer: string;
}

/** The objects of a transaction by kind of use. */
export interface ObjectUses {
  readonly shared: readonly SharedUse[];
  readonly packages: readonly string[];
  readonly received: readonly Reference[];
  readonly owned: readonly OwnedUse[];
  readonly gas: readonly OwnedUse[];
}

export function usesOf(program: Program, sender: string, { coins, owner }: Payment): ObjectUses {
  const inputs = program.inputs.flatMap(({ Object: input }) => input ?? []);
  const references = inputs.flatMap(({ ImmOrOwnedObject: reference }) => reference ?? []);
  return {
    shared: inputs.flatMap(({ SharedObject: shared }) => shared ?? []),
    packages: packagesOf(program),
    received: inputs.flatMap(({ Receiving: received }) => received ?? []),
    owned: references.map((reference) => ({ reference, signer: sender })),
    gas: coins.map((reference) => ({ reference, signer: owner })),
  };
}

/** Whether an object appears twice among the inputs and packages, without the payment. */
export function hasDuplicates({ shared, packages, received, owned }: ObjectUses): boolean {
  const ids = [...inputIds({ shared, received, owned }), ...packages];
  return new Set(ids).size < ids.length;
}

/** A gas coin that is also an input, or pays twice; null: none. */
export function findUsedTwice(uses: ObjectUses): string | null {
  const used = new Set([...inputIds(uses), ...uses.packages]);
  for (const { reference } of uses.gas) {
    if (used.has(reference.objectId)) return reference.objectId;
    used.add(reference.objectId);
  }
  return null;
}

function inputIds({
  shared,
  received,
  owned,
}: Pick<ObjectUses, 'shared' | 'received' | 'owned'>): string[] {
  return [...shared, ...received, ...owned.map(({ reference }) => reference)].map(
    ({ objectId }) => objectId,
  );
}
