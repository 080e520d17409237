import { type Comparison, fits } from './read-comparison.js';

const FORM = /^\s*(=|!=|<=|>=|<|>)\s*(\d{1,9})(?:\.(\d{1,6}))?\s*$/;
const DECIMALS = 6;
const SCALE = 10n ** BigInt(DECIMALS);

/** `<=20` or `<=2.5`, as a comparison with millionths. Throws `Error` with the required format. */
export function readRatio(text: string): Comparison {
  const [, operator, whole, fraction = ''] = FORM.exec(text) ?? [];
  if (operator === undefined || whole === undefined) {
    throw new Error('must be one of = != < > <= >= and a number, such as <=20 or <=2.5');
  }
  const limit = BigInt(whole) * SCALE + BigInt(fraction.padEnd(DECIMALS, '0'));
  return { operator: operator as Comparison['operator'], limit };
}

/** Whether the comparison holds for `amount / reference`, without rounding. */
export function ratioFits(
  { operator, limit }: Comparison,
  amount: bigint,
  reference: bigint,
): boolean {
  return fits({ operator, limit: limit * reference }, amount * SCALE);
}
