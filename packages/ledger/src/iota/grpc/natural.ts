/**
 * A number of 64 bits that a JavaScript number represents exactly. Throws `Error` for another one, and for
 * none.
 */
export function naturalOf(value: bigint | undefined): number {
  const natural = Number(value);
  if (!Number.isSafeInteger(natural)) throw new Error(`${value} is not a safe whole number`);
  return natural;
}
