import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Argument, Command } from 'commander';
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

/** A service, by the name that users know. */
export type ServiceName = keyof typeof PROGRAMS;

export const SERVICES = Object.keys(PROGRAMS);

/** `serve`: a service of the package, in this process unless its Node is too old. */
export function serveCommand(): Command {
  return new Command('serve')
    .addArgument(new Argument('<service>', 'one of').choices(SERVICES))
    .option('--config <file>', 'lines NAME=value; variables of the environment come first')
    .addHelpText(
      'after',
      `
Runs one service in the foreground, with the variables of docs/configuration.md. SIGTERM stops it.

  gateway, coin-pool, executor, events, history
           one service, as deployments run them
  all      all of these in one process
  devnet   a local ledger with a faucet`,
    )
    .action(async (service: ServiceName, { config }: { readonly config?: string }) => {
      if (config !== undefined) loadConfigFile(config);
      await serve(serviceProgram(service));
    });
}

async function serve(program: string): Promise<void> {
  const node = chooseNode();
  if (node === process.execPath) {
    process.setSourceMapsEnabled(true);
    await import(pathToFileURL(program).href);
    return;
  }
  const options = { env: environment, stdio: 'inherit' } as const;
  const { code } = await runProgram(node, ['--enable-source-maps', program], options);
  process.exitCode = code;
}

/** The program of a service. */
export function serviceProgram(service: ServiceName): string {
  return join(ROOT, 'apps', PROGRAMS[service], 'dist', 'bundle', 'main.js');
}
