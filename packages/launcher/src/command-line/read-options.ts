import { endWith } from './read-program-options.js';

/**
 * The value of a command's option: a whole number, 1 or more. Ends the process with 2 otherwise, and names
 * the option.
 */
export function readNumberOption(name: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  return endWith(`--${name} must be a whole number, 1 or more; got ${text}`);
}

/** The value of a command's option: one of these. Ends the process with 2 otherwise, and names the option. */
export function readChoiceOption<const T extends string>(
  name: string,
  choices: readonly T[],
  text: string,
): T {
  const chosen = choices.find((choice) => choice === text);
  return chosen ?? endWith(`--${name} must be ${choices.join(' or ')}; got ${text}`);
}
