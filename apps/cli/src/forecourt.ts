import { type Argument, Command, CommanderError, type Option } from 'commander';
import { completionCommand } from './commands/completion.js';
import { RouteRefusal } from './terminal/call-route.js';
import { EXIT } from './terminal/exit-codes.js';

const modules: readonly (readonly [names: readonly string[], load: () => Promise<Command[]>])[] = [
  [
    ['sponsor', 'try'],
    async () => {
      const { sponsorCommand, tryCommand } = await import('./commands/sponsor.js');
      return [sponsorCommand(), tryCommand()];
    },
  ],
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
  .configureHelp({ optionDescription: describeParameter, argumentDescription: describeParameter })
  .hook('preAction', (_program, command) => {
    // Commander gives an option that a command and its subcommand share to the command alone.
    if (command.optsWithGlobals()['json'] === true) command.setOptionValue('json', true);
  })
  .addHelpText(
    'after',
    `
The gas station is found by FORECOURT_URL (default http://127.0.0.1:9527) and FORECOURT_TOKEN, from the
environment or from lines of the same names in ~/.config/forecourt.

Exit code 0: done; 1: the answer is no (no record, denied, failed in Move, differs); 2: wrong arguments, or a failure.`,
  );
for (const command of await loadCommands(process.argv[2])) {
  program.addCommand(inheritSettings(command, program));
}

// A program such as `head` closes the pipe when it has read enough: that is not an error.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written: ${message}\n`);
  process.exit(EXIT.failed);
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed what is wrong.
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.failed;
  } else {
    console.error(error instanceof Error ? error.message : error);
    const isUnknown = error instanceof RouteRefusal && error.isNoRecord;
    process.exitCode = isUnknown ? EXIT.negative : EXIT.failed;
  }
}

/** Says what must be given, and shows a default as it is typed: Commander would write it as JSON. */
function describeParameter(parameter: Option | Argument): string {
  const { description, defaultValueDescription } = parameter;
  const defaultValue: unknown = parameter.defaultValue;
  if ('mandatory' in parameter && parameter.mandatory) return `${description} (required)`;
  if (defaultValue === undefined || defaultValue === false) return description;
  return `${description} (default: ${defaultValueDescription ?? (defaultValue as string)})`;
}

/** Also for subcommands: otherwise their mistakes would end the process with Commander's exit code. */
function inheritSettings(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const subcommand of command.commands) inheritSettings(subcommand, command);
  return command;
}

/**
 * Loads the module of one command, since the clients of the ledger and Redis take a second; all for help and
 * completion.
 */
async function loadCommands(name = ''): Promise<Command[]> {
  const named = modules.filter(([names]) => names.includes(name));
  const loaded = await Promise.all((named.length > 0 ? named : modules).map(([, load]) => load()));
  return [...loaded.flat(), completionCommand(program)];
}
