import type { DecodedTransaction } from '@forecourt/ledger';

/** Ledgers refuse type arguments that nest deeper. */
const DEEPEST = 16;

/** Many rules ask the same of one transaction. */
const known = new WeakMap<DecodedTransaction, readonly string[] | null>();

/**
 * Every type that a transaction states, those inside of others too: of `vector<0x2::coin::Coin<u8>>` all three. Null when
 * one nests too deeply to be looked through; no ledger executes such a transaction.
 */
export function nestedTypes(transaction: DecodedTransaction): readonly string[] | null {
  let types = known.get(transaction);
  if (types === undefined) {
    types = findNestedTypes(transaction);
    known.set(transaction, types);
  }
  return types;
}

function findNestedTypes({ moveCalls, vectorTypes }: DecodedTransaction): string[] | null {
  const found = new Set<string>();
  const stated = [...moveCalls.flatMap(({ typeArguments }) => typeArguments), ...vectorTypes];
  for (const type of new Set(stated)) {
    if (type !== null && !collect(type, found)) return null;
  }
  return [...found];
}

/** Types are written without spaces: one begins at the start, after `<` and after `,`, and ends before `,` and `>`. */
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
