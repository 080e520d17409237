import type { ParseArgsOptionsConfig } from 'node:util';
import { Failure, type OptionValues, readOptions } from '../workspace/command.js';

/**
 * Reads the options of this process, for a program that a command of the launcher runs. `--help` prints
 * `help` and ends the process; any other option ends it with 2.
 */
export function readProgramOptions<const T extends ParseArgsOptionsConfig>(
  help: string,
  options: T,
): OptionValues<T> {
  try {
    return readOptions(help, options, process.argv.slice(2)) ?? process.exit();
  } catch (error) {
    if (error instanceof Failure) return endWith(error.message);
    throw error;
  }
}

/** Ends the process with 2: its command line cannot be carried out. */
export function endWith(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}
