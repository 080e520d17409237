import { writeDocs } from './commands/docs.js';
import { runExample } from './commands/example.js';
import { measurements } from './commands/measurements.js';
import { packClient } from './commands/pack-client.js';
import { packStation } from './commands/pack-station.js';
import { pinImages } from './commands/pin-images.js';
import { startCommand } from './commands/start-command.js';
import { testCommand } from './commands/test-command.js';
import { serveCommand } from './commands/serve-command.js';
import { setup } from './setup/index.js';
import type { Command } from './workspace/command.js';
import { runCommand } from './workspace/prepare.js';

/** Commands for work on the project. All others are those of apps/cli. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  start: startCommand,
  test: testCommand,
  docs: writeDocs,
  example: runExample,
  pack: packStation,
  'pack-client': packClient,
  'pin-images': pinImages,
  serve: serveCommand,
  ...setup,
  ...measurements,
};

/** Runs the command with this name and these arguments, and resolves with the exit code. */
export function runLauncher(args: string[]): Promise<number> {
  return runCommand(COMMANDS, args);
}
