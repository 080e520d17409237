import { Command, CommanderError } from 'commander';
import { completionCommand } from './commands/completion.js';
import { dryRunCommand } from './commands/dry-run.js';
import { eventsCommand } from './commands/events.js';
import { explainCommand } from './commands/explain.js';
import { inspectCommand } from './commands/inspect.js';
import { pauseCommands } from './commands/pause.js';
import { poolCommand } from './commands/pool.js';
import { programCommands } from './commands/programs.js';
import { sponsorCommand } from './commands/sponsor.js';
import { sponsorsCommands } from './commands/sponsors.js';
import { statusCommand } from './commands/status.js';
import { watchCommand } from './commands/watch.js';
import { EXIT } from './terminal/exit-codes.js';

const program = new Command('forecourt')
  .description('Forecourt from the command line')
  .exitOverride()
  .addHelpText(
    'after',
    `
The gas station is found by FORECOURT_URL (default http://127.0.0.1:9527) and FORECOURT_TOKEN, from the
environment or from lines of the same names in ~/.config/forecourt.

Exit code 0: done; 1: the answer is no (denied, failed in Move, differs); 2: wrong arguments, or a failure.`,
  );
const commands = [
  sponsorCommand(),
  dryRunCommand(),
  statusCommand(),
  eventsCommand(),
  watchCommand(),
  poolCommand(),
  inspectCommand(),
  explainCommand(),
  ...pauseCommands(),
  ...sponsorsCommands(),
  completionCommand(program),
];
for (const command of commands) program.addCommand(command.copyInheritedSettings(program));
for (const command of programCommands()) {
  // They answer --help themselves.
  program.addCommand(command.copyInheritedSettings(program).helpOption(false));
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed what is wrong.
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.failed;
  } else {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = EXIT.failed;
  }
}
