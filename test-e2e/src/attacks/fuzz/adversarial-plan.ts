/** Objects that a transaction may name, by owner; `index` chooses one of several. */
export const objectKinds = [
  'own car',
  'own coin',
  'car of another',
  'coin of another',
  'coin of the sponsor',
  'reserved coin',
  'package',
  'clock',
  'counter',
  'made up',
  'deleted',
] as const;
type ObjectKind = (typeof objectKinds)[number];

export interface ObjectPlan {
  readonly kind: 'object';
  readonly what: ObjectKind;
  readonly index: number;
  readonly as: 'owned' | 'receiving' | 'shared';
  readonly version: 'newest' | 'former' | 'next' | 'last';
  readonly wrongDigest: boolean;
  readonly mutable: boolean;
  readonly wrongStart: boolean;
}

export type InputPlan =
  | ObjectPlan
  | { readonly kind: 'u64'; readonly value: bigint }
  | { readonly kind: 'address'; readonly whose: 'own' | 'other' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'again'; readonly of: number }
  | { readonly kind: 'many'; readonly count: number };

export interface ArgumentPlan {
  readonly kind: 'gas' | 'input' | 'result' | 'nested';
  readonly index: number;
  readonly second: number;
}

export type CommandPlan =
  | {
      readonly kind: 'call';
      readonly target: string;
      readonly types: readonly string[];
      readonly args: readonly ArgumentPlan[];
    }
  | {
      readonly kind: 'split' | 'merge' | 'transfer';
      readonly first: ArgumentPlan;
      readonly args: readonly ArgumentPlan[];
    }
  | {
      readonly kind: 'vector';
      readonly type: string | null;
      readonly args: readonly ArgumentPlan[];
    }
  | {
      readonly kind: 'publish' | 'upgrade';
      readonly modules: readonly Uint8Array[];
      readonly dependency: string;
      readonly first: ArgumentPlan;
    };

/** A useful action, which succeeds if its objects exist. */
export type Deed =
  | { readonly kind: 'build'; readonly count: number; readonly for: 'own' | 'other' }
  | { readonly kind: 'burn'; readonly units: number }
  | { readonly kind: 'drive' | 'scrap' | 'give' | 'split' | 'merge'; readonly index: number }
  | { readonly kind: 'fail' | 'read' | 'count' | 'leave' };

/** One part of a program: a useful action or an arbitrary command. */
export type Part =
  | { readonly kind: 'deed'; readonly deed: Deed }
  | {
      readonly kind: 'anything';
      readonly inputs: readonly InputPlan[];
      readonly commands: readonly CommandPlan[];
    };
