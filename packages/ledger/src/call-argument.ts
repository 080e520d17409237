/**
 * The value of a pure argument: integers of every width as `bigint`, addresses and object ids in full form, `null` for
 * an `Option` without a value, and an `Option` with one as that value.
 */
export type ArgumentValue = bigint | boolean | string | null | readonly ArgumentValue[];

/** An argument of a Move call. */
export type CallArgument = (
  | {
      readonly kind: 'pure';
      /** Undefined: its type is not known, or the bytes are none of its values. */
      readonly value: ArgumentValue | undefined;
    }
  | {
      readonly kind: 'object';
      /** In full form. */
      readonly objectId: string;
      readonly use: 'owned' | 'received' | 'shared' | 'shared-mutable';
    }
  /** A result of an earlier command: `index` among its results. */
  | { readonly kind: 'result'; readonly command: number; readonly index: number }
  /** The sponsor's gas coin. */
  | { readonly kind: 'gas' }
) & {
  /**
   * The type of the parameter, addresses in full form, without spaces. A type of an upgraded package is named by the
   * first version of the package. Null: the function was not looked up or does not exist, or a type argument is missing.
   */
  readonly type: string | null;
};

/** An argument as the bytes of a transaction have it. */
export type RawArgument =
  | { readonly kind: 'pure'; readonly bytes: Uint8Array }
  | Pick<Extract<CallArgument, { kind: 'object' }>, 'kind' | 'objectId' | 'use'>
  | Pick<Extract<CallArgument, { kind: 'result' }>, 'kind' | 'command' | 'index'>
  | { readonly kind: 'gas' };
