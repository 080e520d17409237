import type { ExecuteTxOptions, ExecuteTxResponse } from '@forecourt/contracts';
import type { TransactionPart } from '@forecourt/ledger';

export type ShownParts = Omit<ExecuteTxResponse, 'effects' | 'error'>;

/** Each part with the option that asks for it and the field that shows it. */
export const PARTS: Readonly<
  Record<TransactionPart, readonly [option: keyof ExecuteTxOptions, field: keyof ShownParts]>
> = {
  events: ['showEvents', 'events'],
  objectChanges: ['showObjectChanges', 'object_changes'],
  balanceChanges: ['showBalanceChanges', 'balance_changes'],
  input: ['showInput', 'input'],
};

/** The parts of a transaction that a request asks for besides the effects. */
export function partsOf(options: ExecuteTxOptions | null | undefined): readonly TransactionPart[] {
  const parts = Object.keys(PARTS) as TransactionPart[];
  return parts.filter((part) => options?.[PARTS[part][0]] === true);
}
