/**
 * The value of a pure argument: integers of every width as `bigint`, `vector<u8>` as its bytes, addresses and
 * object ids in full form, `null` for an `Option` without a value, and an `Option` with one as that value.
 */
export type ArgumentValue =
  bigint | boolean | string | null | Uint8Array | readonly ArgumentValue[];

/** An argument of a Move call. */
export type CallArgument = (
  | {
      readonly kind: 'pure';
      /**
       * The call may change it for later commands: its function takes a mutable reference, or is not known.
       */
      readonly isLent: boolean;
      /**
       * Undefined: its type is unknown, the bytes do not encode a value of it, an earlier command may have
       * changed it, or decoding it takes too long. The same object for every argument that is the same input
       * of the same type.
       */
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
   * The type of the parameter, addresses in full form, without spaces. A type of an upgraded package is named
   * by the first version of the package. Null: the function was not looked up or does not exist, a type
   * argument is missing, or the text is too long.
   */
  readonly type: string | null;
};

/**
 * The arguments of a Move call, by its position among the Move calls of a transaction. They are decoded when
 * they are read.
 */
export type ArgumentsOfCalls = (call: number) => readonly CallArgument[];

/** An argument as the bytes of a transaction have it. */
export type RawArgument =
  | { readonly kind: 'pure'; readonly bytes: Uint8Array }
  | Pick<Extract<CallArgument, { kind: 'object' }>, 'kind' | 'objectId' | 'use'>
  | Pick<Extract<CallArgument, { kind: 'result' }>, 'kind' | 'command' | 'index'>
  | { readonly kind: 'gas' };
