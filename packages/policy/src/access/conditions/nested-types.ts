import type { DecodedTransaction } from '@forecourt/ledger';

/** Ledgers refuse type arguments that nest deeper. */
const DEEPEST = 16;

/** Several rules may need the types of one transaction. */
const cache = new WeakMap<DecodedTransaction, readonly string[] | null>();

/**
 * Every type that a transaction states, including nested types: `vector<0x2::coin::Coin<u8>>` gives three. Null if a
 * type nests too deeply to be searched; no ledger executes such a transaction.
 */
export function nestedTypes(transaction: DecodedTransaction): readonly string[] | null {
  let types = cache.get(transaction);
  if (types === undefined) {
    types = collectNestedTypes(transaction);
    cache.set(transaction, types);
  }
  return types;
}

function collectNestedTypes({ moveCalls, vectorTypes }: DecodedTransaction): string[] | null {
  const found = new Set<string>();
  const stated = [...moveCalls.flatMap(({ typeArguments }) => typeArguments), ...vectorTypes];
  for (const type of new Set(stated)) {
    if (type !== null && !collect(type, found)) return null;
  }
  return [...found];
}

/** Types have no spaces: one begins at the start, after `<` or after `,`, and ends before `,` or `>`. */
function collect(text: string, found: Set<string>): boolean {
  const starts = [0];
  const end = (at: number) => {
    const type = text.slice(starts.pop(), at);
    if (type !== '') found.add(type);
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '<') {
      starts.push(at + 1);
      if (starts.length > DEEPEST + 1) return false;
    } else if (sign === ',') {
      end(at);
      starts.push(at + 1);
    } else if (sign === '>') end(at);
  }
  end(text.length);
  return true;
}
