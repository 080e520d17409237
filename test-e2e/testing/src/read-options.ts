import type { parseArgs, ParseArgsOptionsConfig } from 'node:util';
import { Command, Option } from 'commander';

/** The values of options, by their names in the code. */
export type OptionValues<T extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: T }>
>['values'];

/**
 * Reads the options of this process, for a program that the command line runs: `--some-name` as `someName`. `--help`
 * prints `help` and ends the process; any other option ends it with 2.
 */
export function readProgramOptions<const T extends ParseArgsOptionsConfig>(
  help: string,
  options: T,
): OptionValues<T> {
  const program = new Command()
    .allowExcessArguments(false)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  program.helpInformation = () => `${help}\n`;
  for (const [name, { type, multiple = false, default: usual }] of Object.entries(options)) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const given: string[] = [];
    const option = new Option(type === 'boolean' ? flag : `${flag} <value>`).default(usual);
    if (multiple) option.argParser((value: string) => (given.push(value), given));
    program.addOption(option);
  }
  return program.parse().opts<OptionValues<T>>();
}

/** The value of an option: an integer above 0. Ends the process with 2 otherwise, and names the option. */
export function readNumberOption(name: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  return endWith(`--${name} must be a whole number, 1 or more; got ${text}`);
}

/** The value of an option: one of these. Ends the process with 2 otherwise, and names the option. */
export function readChoiceOption<const T extends string>(
  name: string,
  choices: readonly T[],
  text: string,
): T {
  const chosen = choices.find((choice) => choice === text);
  return chosen ?? endWith(`--${name} must be ${choices.join(' or ')}; got ${text}`);
}

/** Ends the process with 2: its command line cannot be carried out. */
function endWith(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}
