import { runCommand } from './workspace/prepare.js';
import type { Command } from './workspace/command.js';

/**
 * The command `forecourt` of the package, in which everything is built. All other commands are those of apps/cli. Each is loaded
 * alone: a service that is served keeps what was loaded.
 */
const COMMANDS: Readonly<Record<string, Command>> = {
  start: async (args) => (await import('./commands/start-command.js')).startCommand(args),
  serve: async (args) => (await import('./commands/serve-command.js')).serveCommand(args),
  init: async (args) => (await import('./commands/init-command.js')).initCommand(args),
  check: async (args) => (await import('./commands/check-command.js')).checkCommand(args),
  'redis-users': async (args) => (await import('./commands/redis-users.js')).makeRedisUsers(args),
};

process.exitCode = await runCommand(COMMANDS, process.argv.slice(2));
