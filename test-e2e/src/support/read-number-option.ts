/**
 * Reads the value of a command's option: a whole number, 1 or more. Throws `RangeError` naming the option otherwise.
 */
export function readNumberOption(name: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new RangeError(`--${name} must be a whole number, 1 or more; got ${text}`);
}
