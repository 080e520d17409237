import { Command } from 'commander';
import { benchCommand, soakCommand, verifyCommand } from '../clone/measurements.js';
import ofClone from '../clone/commands.json' with { type: 'json' };
import groups from '../commands.json' with { type: 'json' };

const SCRIPT = /\bnpm run ([\w:-]+)(?: -- ([a-z][\w-]*))?/g;
const PACKAGE = /(?:`|\bnpx )forecourt ([a-z][\w-]*)/g;

const programsOf = (define: (command: Command) => Command) =>
  define(new Command()).commands.map((command) => command.name());

/** Scripts of npm → the programs that each runs. */
export const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  bench: programsOf(benchCommand),
  soak: programsOf(soakCommand),
  verify: programsOf(verifyCommand),
  forecourt: Object.values({ ...groups, ...ofClone }).flatMap((commands) => Object.keys(commands)),
};

/** The commands that a text names and that do not exist. `scripts`: those of npm. */
export function findUnknownCommands(text: string, scripts: ReadonlySet<string>): string[] {
  const ofNpm = [...text.matchAll(SCRIPT)].filter(([, script = '', program]) => {
    const programs = program === undefined ? undefined : PROGRAMS[script];
    return !scripts.has(script) || (programs && !programs.includes(program!));
  });
  const ofPackage = [...text.matchAll(PACKAGE)].filter(
    ([, command]) => !PROGRAMS['forecourt']!.includes(command!),
  );
  return [...ofNpm, ...ofPackage].map(([named]) => named.replace('`', ''));
}
