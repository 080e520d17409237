/** No name of a token has one. */
const SEPARATOR = ':';

/** The name of the caller that one user of a token is. */
export function nameOfUser(token: string, address: string): string {
  return `${token}${SEPARATOR}${address}`;
}

/** The name of the token that a caller uses: its own name, but for users. */
export function tokenOfCaller(name: string): string {
  return name.split(SEPARATOR, 1)[0]!;
}
