import { Command, CommanderError } from 'commander';
import { completionCommand } from './commands/completion.js';
import { EXIT } from './terminal/exit-codes.js';

const modules: readonly (readonly [names: readonly string[], load: () => Promise<Command[]>])[] = [
  [['sponsor'], async () => [(await import('./commands/sponsor.js')).sponsorCommand()]],
  [['dry-run'], async () => [(await import('./commands/dry-run.js')).dryRunCommand()]],
  [['status'], async () => [(await import('./commands/status.js')).statusCommand()]],
  [
    ['events', 'watch'],
    async () => {
      const { eventsCommand, watchCommand } = await import('./commands/events.js');
      return [eventsCommand(), watchCommand()];
    },
  ],
  [['pool'], async () => [(await import('./commands/pool.js')).poolCommand()]],
  [['inspect'], async () => [(await import('./commands/inspect.js')).inspectCommand()]],
  [['explain'], async () => [(await import('./commands/explain.js')).explainCommand()]],
  [
    ['pause', 'resume', 'pauses'],
    async () => (await import('./commands/pause.js')).pauseCommands(),
  ],
  [
    ['sponsors', 'drain', 'undrain', 'reconcile', 'withdraw'],
    async () => (await import('./commands/sponsors.js')).sponsorsCommands(),
  ],
  [['history'], async () => [(await import('./commands/history.js')).historyCommand()]],
  [['usage'], async () => [(await import('./commands/usage.js')).usageCommand()]],
  [['webhooks'], async () => [(await import('./commands/webhooks.js')).webhooksCommand()]],
  [['audit'], async () => [(await import('./commands/audit.js')).auditCommand()]],
  [['doctor'], async () => [(await import('./commands/doctor.js')).doctorCommand()]],
  [['access'], async () => [(await import('./commands/access.js')).accessCommand()]],
  [['token'], async () => [(await import('./commands/token.js')).tokenCommand()]],
  [
    ['import-config'],
    async () => [(await import('./commands/import-config.js')).importConfigCommand()],
  ],
];

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
for (const command of await loadCommands(process.argv[2])) {
  program.addCommand(inheritSettings(command, program));
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

/** Also for subcommands: otherwise their mistakes would end the process with Commander's exit code. */
function inheritSettings(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const subcommand of command.commands) inheritSettings(subcommand, command);
  return command;
}

/** Loads the module of one command, since the clients of the ledger and Redis take a second; all for help and completion. */
async function loadCommands(name = ''): Promise<Command[]> {
  const named = modules.filter(([names]) => names.includes(name));
  const loaded = await Promise.all((named.length > 0 ? named : modules).map(([, load]) => load()));
  return [...loaded.flat(), completionCommand(program)];
}
