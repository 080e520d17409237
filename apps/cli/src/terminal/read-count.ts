/** An integer above 0 from an argument, which `name` names in the message. Throws `Error`. */
export function readCount(name: string, text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count > 0 && Number.isSafeInteger(count)) return count;
  throw new Error(`${name} must be an integer above 0; got ${JSON.stringify(text)}`);
}
