/** Names of tokens cannot contain it. */
const SEPARATOR = ':';

/** The name of a caller that is one user of a token. */
export function nameOfUser(token: string, address: string): string {
  return `${token}${SEPARATOR}${address}`;
}

/** The name of a caller's token: the caller's own name, unless it is one user of the token. */
export function tokenOfCaller(name: string): string {
  return name.split(SEPARATOR, 1)[0]!;
}

/** The address of a caller that is one user of a token; null for any other caller. */
export function userOfCaller(name: string): string | null {
  return name.split(SEPARATOR, 2)[1] ?? null;
}
