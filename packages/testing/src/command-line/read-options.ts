import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

const HELP = { help: { type: 'boolean', default: false } } as const;

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options & typeof HELP }>
>['values'];

/**
 * The options of this process's command line. `--help` prints the help and ends the process; an option that is wrong or unknown
 * ends it with 2, after a line that names the option, and the help.
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
): Values<Options> {
  const values = parse(help, options);
  if (!('help' in values) || values.help !== true) return values;
  process.stdout.write(`${help}\n`);
  process.exit();
}

function parse<const Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
): Values<Options> {
  try {
    return parseArgs({ options: { ...options, ...HELP } }).values;
  } catch (error) {
    return endWith(`${(error as Error).message}\n\n${help}`);
  }
}

/** Ends the process with 2: its command line cannot be carried out. */
export function endWith(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}
