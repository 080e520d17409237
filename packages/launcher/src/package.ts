import { makeRedisUsers } from './commands/redis-users.js';
import { serveCommand } from './commands/serve-command.js';
import { startCommand } from './commands/start-command.js';
import { runCommand } from './workspace/prepare.js';

/** The command `forecourt` of the package, in which everything is built. All other commands are those of apps/cli. */
const COMMANDS = { start: startCommand, serve: serveCommand, 'redis-users': makeRedisUsers };

process.exitCode = await runCommand(COMMANDS, process.argv.slice(2));
