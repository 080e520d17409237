import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

const SHOWS_HELP = { help: { type: 'boolean', short: 'h' } } as const;

/**
 * The arguments of a program, `positionals` of them without a name at most; null after `--help`, which prints `help`. Throws
 * `Error` with the help for everything else.
 */
export function readOptions<const T extends ParseArgsOptionsConfig>(
  help: string,
  options: T,
  positionals = 0,
) {
  const parsed = parse(help, options);
  if ((parsed.values as { help?: boolean }).help) {
    process.stdout.write(`${help}\n`);
    return null;
  }
  const surplus = parsed.positionals[positionals];
  if (surplus !== undefined) throw new Error(`Unexpected argument "${surplus}"\n\n${help}`);
  return parsed;
}

function parse<const T extends ParseArgsOptionsConfig>(help: string, options: T) {
  try {
    return parseArgs({ allowPositionals: true, options: { ...options, ...SHOWS_HELP } });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${help}`, { cause: error });
  }
}
