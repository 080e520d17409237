import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Runs with the arguments after its name, and resolves with the exit code. */
export type Command = (args: string[]) => Promise<number>;

/** An error that the user can fix: its message is shown without a stack. */
export class Failure extends Error {}

/**
 * Ends the process where its output cannot be written, such as to a full disk; without a word where its
 * reader has left.
 */
export function endWithOutput(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit();
    process.stderr.write(`The output cannot be written: ${message}\n`);
    process.exit(2);
  });
}

/** When the command was given, ms since the epoch. */
export const startedAt = performance.timeOrigin;

/** Writes one line about the progress, with the time since the start, to standard error. */
export function say(text: string, since = startedAt): void {
  const seconds = ((Date.now() - since) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds}s  ${text}\n`);
}

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/** The values of these options and of `help`. */
export type OptionValues<T extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: T & typeof HELP }>
>['values'];

/**
 * Reads the options of a command; null after `--help`, which prints `help`. Throws `Failure` for any other
 * option.
 */
export function readOptions<const T extends ParseArgsOptionsConfig>(
  help: string,
  options: T,
  args: string[],
): OptionValues<T> | null {
  const values = parse(help, options, args);
  if (!('help' in values) || values.help !== true) return values;
  process.stdout.write(`${help}\n`);
  return null;
}

function parse<const T extends ParseArgsOptionsConfig>(
  help: string,
  options: T,
  args: string[],
): OptionValues<T> {
  try {
    return parseArgs({ args, options: { ...options, ...HELP } }).values;
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${help}`);
  }
}

/** Compares versions such as `20.19` and `20.2.1` number by number; negative if the first is older. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
