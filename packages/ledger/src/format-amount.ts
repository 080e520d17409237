const DECIMALS = 9;

/** The currency of gas, of which the smallest unit has nine decimal places. */
export const CURRENCY = 'IOTA';

/** An amount in the ledger's smallest unit for people, in IOTA, exactly: `0.0026492 IOTA`. */
export function formatAmount(amount: bigint | number | string): string {
  const value = BigInt(amount);
  const digits = String(value < 0n ? -value : value).padStart(DECIMALS + 1, '0');
  const whole = digits.slice(0, -DECIMALS);
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`} ${CURRENCY}`;
}
