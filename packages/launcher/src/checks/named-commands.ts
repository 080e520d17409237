import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchmarks, soaks, verifications } from '../commands/measurements.js';
import { COMMANDS } from '../launcher.js';
import { ROOT } from '../workspace/workspace-config.js';

const SCRIPT = /\bnpm run ([\w:-]+)(?: -- ([a-z][\w-]*))?/g;
const PACKAGE = /(?:`|\bnpx )forecourt ([a-z][\w-]*)/g;
/** A line of the table of `apps/cli/src/forecourt.ts`: the names of its commands. */
const CLI_NAMES = /^ {2,4}\[+((?:'[\w-]+'(?:, )?)+)\]/gm;

/** Scripts of which each runs several programs. */
const PROGRAMS: Readonly<Record<string, ReadonlySet<string>>> = {
  bench: new Set(Object.keys(benchmarks)),
  soak: new Set(Object.keys(soaks)),
  verify: new Set(Object.keys(verifications)),
  forecourt: new Set([...Object.keys(COMMANDS), ...readCliNames()]),
};

function readCliNames(): string[] {
  const table = readFileSync(join(ROOT, 'apps/cli/src/forecourt.ts'), 'utf8');
  const lists = [...table.matchAll(CLI_NAMES)].map(([, names]) => names!);
  return lists.flatMap((names) => [...names.matchAll(/[\w-]+/g)].map(([name]) => name));
}

/** The commands that a text names and that do not exist. `scripts`: those of npm. */
export function findUnknownCommands(text: string, scripts: ReadonlySet<string>): string[] {
  const ofNpm = [...text.matchAll(SCRIPT)].filter(([, script = '', program]) => {
    const programs = program === undefined ? undefined : PROGRAMS[script];
    return !scripts.has(script) || (programs && !programs.has(program!));
  });
  const ofPackage = [...text.matchAll(PACKAGE)].filter(
    ([, command]) => !PROGRAMS['forecourt']!.has(command!),
  );
  return [...ofNpm, ...ofPackage].map(([named]) => named.replace('`', ''));
}
