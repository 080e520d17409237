import type { Command } from '../workspace/command.js';

/**
 * Commands that set a gas station up. They use other packages, so each is loaded when it is given, after the
 * build.
 */
export const setup: Readonly<Record<string, Command>> = {
  init: async (args) => (await import('./init-command.js')).initCommand(args),
  check: async (args) => (await import('./check-command.js')).checkCommand(args),
  secrets: async (args) =>
    args[0] === 'sponsor'
      ? (await import('./sponsor-key-command.js')).sponsorKeyCommand(args.slice(1))
      : (await import('./secrets-command.js')).secretsCommand(args),
  'redis-users': async (args) => (await import('./redis-users-command.js')).makeRedisUsers(args),
  fund: async (args) => (await import('./fund-command.js')).fundCommand(args),
};
