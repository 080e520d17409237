const FORM = /^\s*(=|!=|<=|>=|<|>)(.*)$/;
const AMOUNT = /^\s*([\d_]+)(?:\.(\d+))?\s*(coins?)?\s*$/;
/** The smallest unit is a coin divided by ten to this power, on IOTA and Sui. */
const UNITS_PER_COIN_DIGITS = 9;
const MOST = 2n ** 63n - 1n;

/** A comparison of an amount with a limit. */
export interface Comparison {
  readonly operator: '=' | '!=' | '<' | '>' | '<=' | '>=';
  readonly limit: bigint;
}

/** `<=5_000_000` in the smallest unit, or `<=0.5 coins`. Throws `Error` with the required format. */
export function readComparison(text: string): Comparison {
  const [, operator, amount] = FORM.exec(text) ?? [];
  if (operator === undefined) {
    throw new Error(
      'must be one of = != < > <= >= and an amount, such as <=1000000 or <=0.5 coins',
    );
  }
  return { operator: operator as Comparison['operator'], limit: readUnits(amount!) };
}

/** `5_000_000` in the smallest unit, or `0.5 coins`. Throws `Error` with the required format. */
export function readUnits(text: string): bigint {
  const [, whole, fraction = '', coins] = AMOUNT.exec(text) ?? [];
  if (whole === undefined || !/\d/.test(whole)) {
    throw new Error('must be an amount, such as 1000000 or 0.5 coins');
  }
  if (!coins && fraction !== '') throw new Error('must be a whole number of the smallest unit');
  if (fraction.length > UNITS_PER_COIN_DIGITS) throw new Error('has too many decimal places');
  const digits =
    whole.replaceAll('_', '') + (coins ? fraction.padEnd(UNITS_PER_COIN_DIGITS, '0') : '');
  const amount = BigInt(digits);
  if (amount > MOST) throw new Error(`must not be above ${MOST}`);
  return amount;
}

export function fits({ operator, limit }: Comparison, amount: bigint): boolean {
  switch (operator) {
    case '=':
      return amount === limit;
    case '!=':
      return amount !== limit;
    case '<':
      return amount < limit;
    case '>':
      return amount > limit;
    case '<=':
      return amount <= limit;
    case '>=':
      return amount >= limit;
  }
}
