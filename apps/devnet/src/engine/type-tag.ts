import { TypeTagSerializer } from '@iota/iota-sdk/bcs';

export const IOTA = '0x2::iota::IOTA';
export const GAS_COIN = `0x2::coin::Coin<${IOTA}>`;

const texts = new Map<string, string>();

/**
 * A type as a node shows it: system addresses short (`0x2`), others with all 64 digits, `, ` between
 * parameters. Accepts any form; other text is returned unchanged.
 */
export function showType(type: string): string {
  const known = texts.get(type);
  if (known !== undefined) return known;
  let text = type;
  try {
    text = TypeTagSerializer.tagToString(TypeTagSerializer.parseFromStr(type, true))
      .replace(/0x0{63}([0-9a-f])(?![0-9a-f])/g, '0x$1')
      .replace(/,\s*/g, ', ');
  } catch {
    return type;
  }
  if (texts.size > 10_000) texts.clear();
  texts.set(type, text);
  return text;
}

/** The parameter of `Coin<T>`, or null for other types. */
export function coinTypeOf(type: string): string | null {
  return type.startsWith('0x2::coin::Coin<') ? type.slice('0x2::coin::Coin<'.length, -1) : null;
}
