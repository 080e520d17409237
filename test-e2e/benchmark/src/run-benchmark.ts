import type { ParseArgsOptionsConfig } from 'node:util';
import { type OptionValues, readProgramOptions } from '@forecourt/testing/options';
import { comparisonAsMarkdown, type Row, rowsAsMarkdown } from './row.js';

const COMMON = { json: { type: 'boolean', default: false } } as const;

/** A program of `npm run bench`. */
interface Benchmark<Options extends ParseArgsOptionsConfig> {
  readonly help: string;
  /** Beside `--json` and `--help`. */
  readonly options: Options;
  readonly measure: (values: OptionValues<Options & typeof COMMON>) => Promise<Measured>;
}

interface Measured {
  readonly rows: readonly Row[];
  /** The comparison with other code in the same run. */
  readonly before?: readonly Row[];
  /** Further facts that a reader of the results needs. */
  readonly note?: string;
}

/** Runs it and prints its table, with `--json` its rows. The exit code is 1 when a target is missed. */
export async function runBenchmark<const Options extends ParseArgsOptionsConfig>(
  benchmark: Benchmark<Options>,
): Promise<void> {
  const { help, options, measure } = benchmark;
  const values = readProgramOptions(help, { ...options, ...COMMON });
  const { rows, before, note } = await measure(values);
  const table = before ? comparisonAsMarkdown(rows, before) : rowsAsMarkdown(rows);
  const json = JSON.stringify(before ? { before, rows } : rows, null, 2);
  if (note !== undefined) say(note);
  process.stdout.write('json' in values && values.json === true ? `${json}\n` : `${table}\n`);
  if (rows.some(({ isMet }) => isMet === false)) process.exitCode = 1;
}

/** Prints one line about the current step. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
