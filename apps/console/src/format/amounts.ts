/** Decimal places of the currency. */
const DECIMALS = 9;
const UNIT = 10n ** BigInt(DECIMALS);
/** U+2212, as wide as a plus sign. */
const MINUS = '−';

/** Digits in groups of three, separated by narrow spaces: `12 345`. */
export function groupDigits(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** `1 gas coin`, `499 gas coins`. */
export function countGasCoins(count: number): string {
  return `${groupDigits(String(count))} gas ${count === 1 ? 'coin' : 'coins'}`;
}

/**
 * `1 sponsorship`, `1 234 sponsorships`; `more than 10 000 sponsorships` where they are not counted to the
 * end.
 */
export function countSponsorships(count: number, isExact: boolean): string {
  const counted = `${groupDigits(String(count))} ${count === 1 ? 'sponsorship' : 'sponsorships'}`;
  return isExact ? counted : `more than ${counted}`;
}

/**
 * An amount in whole units of the currency, exactly: `0.0012`, `−3.5`. Never a floating-point number: amounts
 * go up to 2^64.
 */
export function formatCoins(amount: string | bigint): string {
  const value = BigInt(amount);
  const size = value < 0n ? -value : value;
  const fraction = String(size % UNIT)
    .padStart(DECIMALS, '0')
    .replace(/0+$/, '');
  const whole = groupDigits(String(size / UNIT));
  return `${value < 0n ? MINUS : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const TYPED_COINS = /^(\d{1,10})(?:\.(\d{1,9}))?$/;

/**
 * The smallest units, above 0, of an amount that was typed in whole units of the currency: `0.5`; null for
 * any other text.
 */
export function readCoins(text: string): bigint | null {
  const [, whole, fraction = ''] = TYPED_COINS.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  return BigInt(whole + fraction.padEnd(DECIMALS, '0')) || null;
}

/** The same with few digits, for overviews: four that count, at least down to whole units. */
export function formatCoinsShort(amount: string | bigint): string {
  const value = BigInt(amount);
  const size = value < 0n ? -value : value;
  const exact = formatCoins(size);
  const [whole = '', fraction = ''] = exact.split('.');
  const sign = value < 0n ? MINUS : '';
  if (fraction === '') return sign + whole;
  const isWhole = whole !== '0';
  const leading = /^0*/.exec(fraction)![0].length;
  const places = isWhole ? Math.max(0, 4 - whole.length) : leading + 3;
  const kept = fraction.slice(0, places).replace(/0+$/, '');
  return `${sign}${whole}${kept === '' ? '' : `.${kept}`}`;
}

/** An amount in the smallest unit: `1 234 567`. */
export function formatUnits(amount: string | bigint): string {
  const value = BigInt(amount);
  return value < 0n ? `${MINUS}${groupDigits(String(-value))}` : groupDigits(String(value));
}

/** For the axis of a chart only, where a pixel is coarser than a float. */
export function coinsForChart(amount: string | bigint): number {
  const value = BigInt(amount);
  return Number(value / UNIT) + Number(value % UNIT) / 10 ** DECIMALS;
}

/** The share of an amount in a total, 0 to 1; for the width of a bar only. */
export function shareOf(amount: bigint, total: bigint): number {
  return total === 0n ? 0 : Number((amount * 10_000n) / total) / 10_000;
}
