import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure, readOptions } from '../workspace/command.js';
import { loadConfigFile } from '../workspace/load-config-file.js';
import { runProgram } from '../workspace/run-program.js';
import { chooseNode, environment, ROOT } from '../workspace/workspace-config.js';

/** The names of services → the programs that run them. */
const PROGRAMS = {
  gateway: 'gateway',
  'coin-pool': 'coin-pool',
  executor: 'executor',
  events: 'events',
  history: 'history',
  devnet: 'devnet',
  all: 'station',
} as const;

const HELP = `forecourt serve <service> [--config <file>]

Runs one service in the foreground, with the variables of docs/configuration.md. SIGTERM stops it.

  gateway, coin-pool, executor, events, history
           one service, as deployments run them
  all      all of these in one process
  devnet   a local ledger with a faucet

  --config  a file with lines NAME=value; variables of the environment come first`;

/** `forecourt serve`: a service of the package, in this process unless its Node is too old. */
export async function serveCommand(args: string[]): Promise<number> {
  const [name = ''] = args;
  const given = name.startsWith('-') ? args : args.slice(1);
  const values = readOptions(HELP, { config: { type: 'string' } }, given);
  if (values === null) return 0;
  const program = serviceProgram(name, HELP);
  if (values.config !== undefined) loadConfigFile(values.config);
  const node = chooseNode();
  if (node !== process.execPath) {
    const options = { env: environment, stdio: 'inherit' } as const;
    return (await runProgram(node, ['--enable-source-maps', program], options)).code;
  }
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(program).href);
  // Of a service that could not start; otherwise it runs on.
  return Number(process.exitCode ?? 0);
}

/** The program of a service, by the name that users know. Throws `Failure` with `help` for another name. */
export function serviceProgram(name: string, help: string): string {
  if (!Object.hasOwn(PROGRAMS, name)) {
    throw new Failure(`${name ? `There is no service ${name}` : 'Name a service'}\n\n${help}`);
  }
  return join(ROOT, 'apps', PROGRAMS[name as keyof typeof PROGRAMS], 'dist', 'bundle', 'main.js');
}
