/** The whole number, 1 or more, that a command's option gives. Throws `RangeError` naming the option when it is none. */
export function readNumberOption(name: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new RangeError(`--${name} must be a whole number, 1 or more; got ${text}`);
}
