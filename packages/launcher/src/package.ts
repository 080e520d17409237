import { setup } from './setup/index.js';
import { runCommand } from './workspace/prepare.js';
import type { Command } from './workspace/command.js';

/**
 * The command `forecourt` of the package, in which everything is built. All other commands are those of
 * apps/cli. Each is loaded alone: a service that is served keeps what was loaded.
 */
const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (args) => (await import('./commands/start-command.js')).startCommand(args),
  serve: async (args) => (await import('./commands/serve-command.js')).serveCommand(args),
  ...setup,
};

const OVERVIEW = `Set a gas station up, and run it:

  init     ask for the network, the key and the servers, and write a configuration
  check    name the mistakes in a configuration
  start    run everything here, and sponsor a first transaction
  serve    run one service, or all in one process, with your Redis and PostgreSQL
  secrets, fund, redis-users
           make the secrets of a fleet, get first coins from a faucet, make the users of Redis

Each has --help. With a gas station that runs:

`;

const [first = '--help'] = process.argv.slice(2);
if (['--help', '-h', 'help'].includes(first)) process.stdout.write(OVERVIEW);
process.exitCode = await runCommand(COMMANDS, process.argv.slice(2));
