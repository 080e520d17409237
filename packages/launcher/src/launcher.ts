import { writeDocs } from './commands/docs.js';
import { runExample } from './commands/example.js';
import { measurements } from './commands/measurements.js';
import { packClient } from './commands/pack-client.js';
import { pinImages } from './commands/pin-images.js';
import { makeRedisUsers } from './commands/redis-users.js';
import { startCommand } from './commands/start-command.js';
import { testCommand } from './commands/test-command.js';
import { type Command, Failure } from './workspace/command.js';
import { runOperatorCommand } from './workspace/prepare.js';

/** Commands for work on the project. All others are those of apps/cli. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  start: startCommand,
  test: testCommand,
  docs: writeDocs,
  example: runExample,
  'pack-client': packClient,
  'pin-images': pinImages,
  'redis-users': makeRedisUsers,
  ...measurements,
};

/** Runs the command with this name and these arguments, and resolves with the exit code. */
export async function runLauncher(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  try {
    if (!Object.hasOwn(COMMANDS, name)) return await runOperatorCommand(args);
    return await COMMANDS[name]!(rest);
  } catch (error) {
    const { message, stack } = error as Error;
    process.stderr.write(`\n${error instanceof Failure ? message : stack}\n`);
    return 1;
  }
}
