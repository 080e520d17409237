import { optional, readObject } from '../../json-rpc/read-params.js';

/** Which parts of a transaction an answer shows; nothing but its digest unless asked. */
export interface TransactionOptions {
  readonly showInput: boolean;
  readonly showRawInput: boolean;
  readonly showEffects: boolean;
  readonly showRawEffects: boolean;
  readonly showEvents: boolean;
  readonly showObjectChanges: boolean;
  readonly showBalanceChanges: boolean;
}

export function readTransactionOptions(value: unknown): TransactionOptions {
  const given = optional(value, 'options', readObject) ?? {};
  const flag = (name: keyof TransactionOptions) => given[name] === true;
  return {
    showInput: flag('showInput'),
    showRawInput: flag('showRawInput'),
    showEffects: flag('showEffects'),
    showRawEffects: flag('showRawEffects'),
    showEvents: flag('showEvents'),
    showObjectChanges: flag('showObjectChanges'),
    showBalanceChanges: flag('showBalanceChanges'),
  };
}
