import { optional, readObject } from '../../json-rpc/read-params.js';

/** Which parts of an object an answer shows; nothing but its reference unless asked. */
export interface ObjectOptions {
  readonly showType: boolean;
  readonly showOwner: boolean;
  readonly showPreviousTransaction: boolean;
  readonly showDisplay: boolean;
  readonly showContent: boolean;
  readonly showBcs: boolean;
  readonly showStorageRebate: boolean;
}

export function readObjectOptions(value: unknown): ObjectOptions {
  const given = optional(value, 'options', readObject) ?? {};
  const flag = (name: keyof ObjectOptions) => given[name] === true;
  return {
    showType: flag('showType'),
    showOwner: flag('showOwner'),
    showPreviousTransaction: flag('showPreviousTransaction'),
    showDisplay: flag('showDisplay'),
    showContent: flag('showContent'),
    showBcs: flag('showBcs'),
    showStorageRebate: flag('showStorageRebate'),
  };
}
