/**
 * The facts of an access decision that neither the transaction nor its record shows. Amounts in the smallest
 * unit.
 */
export interface DecisionFacts {
  /** The reserved budget. */
  readonly gasBudget: number;
  readonly durationSecs: number;
  /** Of the epoch; null: no transaction was decided about, or it was not known. */
  readonly referenceGasPrice: bigint | null;
  /** The maximum cost to the sponsor, which limits on gas count until the transaction settles. */
  readonly largestCost: bigint;
  /** Whether the sender is an abstract account. */
  readonly isOfAbstractAccount: boolean;
}

const FORM = /^(\d{1,16}) (\d{1,16}) (\d{1,30}|-) (\d{1,30}) ([01])$/;

/**
 * The stored form: `<budget> <seconds> <reference gas price, or -> <largest cost> <1 for an abstract account,
 * or 0>`.
 */
export function writeDecisionFacts(facts: DecisionFacts): string {
  const { gasBudget, durationSecs, referenceGasPrice, largestCost, isOfAbstractAccount } = facts;
  const price = referenceGasPrice ?? '-';
  return `${gasBudget} ${durationSecs} ${price} ${largestCost} ${Number(isOfAbstractAccount)}`;
}

/** Null for a text in another form, such as an absent one. */
export function readDecisionFacts(text: string): DecisionFacts | null {
  const [, budget, seconds, price, cost, account] = FORM.exec(text) ?? [];
  if (budget === undefined) return null;
  return {
    gasBudget: Number(budget),
    durationSecs: Number(seconds),
    referenceGasPrice: price === '-' ? null : BigInt(price!),
    largestCost: BigInt(cost!),
    isOfAbstractAccount: account === '1',
  };
}
