/** The subject of a search. */
export type Search =
  | { readonly kind: 'reservation'; readonly id: string }
  | { readonly kind: 'digest'; readonly digest: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'function'; readonly parts: FunctionParts }
  | { readonly kind: 'token'; readonly token: string };

interface FunctionParts {
  readonly package: string;
  readonly module?: string;
  readonly function?: string;
}

const BASE58_DIGEST = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const BASE64_DIGEST = /^[A-Za-z0-9+/]{43}=$/;
const ADDRESS = /^0x[0-9a-fA-F]{1,64}$/;
const FUNCTION = /^(0x[0-9a-fA-F]{1,64})::(\w+)(?:::(\w+))?$/;
const TOKEN = /^[\w.-]{1,64}$/;

/** Reads a search box; null: the text names nothing that can be found. */
export function readSearch(text: string): Search | null {
  const term = text.trim();
  if (/^\d{1,16}$/.test(term)) return { kind: 'reservation', id: term };
  if (ADDRESS.test(term)) return { kind: 'address', address: term };
  if (BASE58_DIGEST.test(term) || BASE64_DIGEST.test(term)) {
    return { kind: 'digest', digest: term };
  }
  const call = FUNCTION.exec(term);
  if (call) {
    const [, packageId = '', module = '', name] = call;
    const parts = { package: packageId, module, ...(name !== undefined && { function: name }) };
    return { kind: 'function', parts };
  }
  return TOKEN.test(term) ? { kind: 'token', token: term } : null;
}

/** The search in words. */
export function describeSearch(search: Search): string {
  switch (search.kind) {
    case 'reservation':
      return `reservation ${search.id}`;
    case 'digest':
      return `digest ${search.digest}`;
    case 'address':
      return `sender ${search.address}`;
    case 'function':
      return `calls of ${Object.values(search.parts).join('::')}`;
    case 'token':
      return `token ${search.token}`;
  }
}
