import { parseArgs } from 'node:util';
import { Failure } from './progress.mjs';

/** The options of this command; null after `--help`, which prints `help`. Throws `Failure` for any other option. */
export function readOptions(help, options, args = process.argv.slice(2)) {
  try {
    const all = { ...options, help: { type: 'boolean', short: 'h' } };
    const { values } = parseArgs({ args, options: all });
    if (!values.help) return values;
  } catch (error) {
    throw new Failure(`${error.message}\n\n${help}`);
  }
  process.stdout.write(`${help}\n`);
  return null;
}
