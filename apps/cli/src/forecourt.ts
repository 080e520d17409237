import { Command, CommanderError } from 'commander';
import { accessCommand } from './commands/access.js';
import { auditCommand } from './commands/audit.js';
import { completionCommand } from './commands/completion.js';
import { doctorCommand } from './commands/doctor.js';
import { dryRunCommand } from './commands/dry-run.js';
import { eventsCommand, watchCommand } from './commands/events.js';
import { explainCommand } from './commands/explain.js';
import { inspectCommand } from './commands/inspect.js';
import { pauseCommands } from './commands/pause.js';
import { poolCommand } from './commands/pool.js';
import { importConfigCommand } from './commands/import-config.js';
import { sponsorCommand } from './commands/sponsor.js';
import { sponsorsCommands } from './commands/sponsors.js';
import { statusCommand } from './commands/status.js';
import { tokenCommand } from './commands/token.js';
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
  auditCommand(),
  doctorCommand(),
  accessCommand(),
  tokenCommand(),
  importConfigCommand(),
  completionCommand(program),
];
for (const command of commands) program.addCommand(command.copyInheritedSettings(program));

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
