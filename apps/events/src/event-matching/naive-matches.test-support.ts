import { canonicalAddress, canonicalStructTag, type LedgerEvent } from '@forecourt/contracts';

/**
 * The specification's tables of filters and combinators, implemented literally on the JSON of clients and
 * nodes.
 */
export function naiveMatches(event: LedgerEvent, filter: Record<string, unknown>): boolean {
  const [[key, value]] = Object.entries(filter) as [[string, never]];
  const [[kind, body]] = Object.entries(event) as [[string, Record<string, unknown>]];
  const same = (attribute: string) =>
    canonicalAddress(body[attribute]) === canonicalAddress(value) && body[attribute] !== undefined;
  switch (key) {
    case 'Package':
      return same('packageId');
    case 'Module':
      return body['transactionModule'] === value;
    case 'MoveEventType':
      return (
        kind === 'moveEvent' &&
        [body['type'], String(body['type']).split('<')[0]].some(
          (type) => canonicalStructTag(type) === canonicalStructTag(value),
        )
      );
    case 'MoveEventField': {
      const { path, value: wanted } = value as { path: string; value: unknown };
      return kind === 'moveEvent' && equal(follow(body['fields'], path), wanted);
    }
    case 'SenderAddress':
      return same('sender');
    case 'EventType':
      return kind.toLowerCase() === (value as string).toLowerCase();
    case 'ObjectId':
      return same('objectId');
    case 'And':
    case 'All':
      return (value as Record<string, unknown>[]).every((part) => naiveMatches(event, part));
    default:
      return (value as Record<string, unknown>[]).some((part) => naiveMatches(event, part));
  }
}

const MISSING = Symbol('missing');

function follow(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce<unknown>((value, token) => {
      const entries =
        typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : new Map();
      return entries.has(token) ? entries.get(token) : MISSING;
    }, document);
}

function equal(a: unknown, b: unknown): boolean {
  if (a === MISSING) return false;
  if (typeof a !== typeof b) {
    const [number, text] = typeof a === 'number' ? [a, b] : [b, a];
    return Number.isInteger(number) && typeof text === 'string' && text === String(number);
  }
  if (typeof a !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => key in right && equal(left[key], right[key]));
}
