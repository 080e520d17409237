import { type Argument, Command, CommanderError, type Option } from 'commander';
import { completionCommand } from './commands/completion.js';
import groups from './commands.json' with { type: 'json' };
import type { RouteRefusal } from './terminal/route-refusal.js';
import { EXIT } from './terminal/exit-codes.js';
import { watchShell } from './workspace/run-program.js';
import { CALLER_FOLDER, IS_CLONE, useRunningSystem } from './workspace/workspace-config.js';

type Groups = typeof groups;
type Name = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

/**
 * Each command is loaded alone: the clients of the ledger and Redis take a second, and a service that is served keeps
 * what was loaded.
 */
const loaders: Readonly<Record<Name, () => Promise<Command>>> = {
  sponsor: async () => (await import('./commands/sponsor.js')).sponsorCommand(),
  try: async () => (await import('./commands/sponsor.js')).tryCommand(),
  'dry-run': async () => (await import('./commands/dry-run.js')).dryRunCommand(),
  status: async () => (await import('./commands/status.js')).statusCommand(),
  events: async () => (await import('./commands/events.js')).eventsCommand(),
  watch: async () => (await import('./commands/events.js')).watchCommand(),
  history: async () => (await import('./commands/history.js')).historyCommand(),
  usage: async () => (await import('./commands/usage.js')).usageCommand(),
  webhooks: async () => (await import('./commands/webhooks.js')).webhooksCommand(),
  inspect: async () => (await import('./commands/inspect.js')).inspectCommand(),
  explain: async () => (await import('./commands/explain.js')).explainCommand(),
  pause: async () => (await import('./commands/pause.js')).pauseCommand(),
  resume: async () => (await import('./commands/pause.js')).resumeCommand(),
  pauses: async () => (await import('./commands/pause.js')).pausesCommand(),
  sponsors: async () => (await import('./commands/sponsors.js')).sponsorsCommand(),
  drain: async () => (await import('./commands/sponsors.js')).drainCommand(),
  undrain: async () => (await import('./commands/sponsors.js')).undrainCommand(),
  reconcile: async () => (await import('./commands/sponsors.js')).reconcileCommand(),
  withdraw: async () => (await import('./commands/sponsors.js')).withdrawCommand(),
  pool: async () => (await import('./commands/pool.js')).poolCommand(),
  audit: async () => (await import('./commands/audit.js')).auditCommand(),
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand(),
  access: async () => (await import('./commands/access.js')).accessCommand(),
  token: async () => (await import('./commands/token.js')).tokenCommand(),
  init: async () => (await import('./setup/init-command.js')).initCommand(),
  check: async () => (await import('./setup/check-command.js')).checkCommand(),
  start: async () => (await import('./setup/start-command.js')).startCommand(),
  serve: async () => (await import('./setup/serve-command.js')).serveCommand(),
  secrets: async () => (await import('./setup/secrets-command.js')).secretsCommand(),
  'redis-users': async () => (await import('./setup/redis-users-command.js')).redisUsersCommand(),
  fund: async () => (await import('./setup/fund-command.js')).fundCommand(),
  'import-config': async () => (await import('./commands/import-config.js')).importConfigCommand(),
  completion: async () => completionCommand(program),
};

const program = new Command('forecourt')
  .description('Forecourt from the command line')
  .usage('<command> [options]')
  .exitOverride()
  .showHelpAfterError('(--help shows what the command takes)')
  .enablePositionalOptions()
  .configureHelp({
    subcommandTerm: (command) => command.name(),
    optionDescription: describeParameter,
    argumentDescription: describeParameter,
  })
  .hook('preAction', (_program, command) => {
    // Commander gives an option that a command and its subcommand share to the command alone.
    if (command.optsWithGlobals()['json'] === true) command.setOptionValue('json', true);
  })
  .addHelpText(
    'after',
    `
In a clone of the repository, forecourt is npm run forecourt --; with the package, npx forecourt. Every command has --help.

The gas station is found by FORECOURT_URL (default http://127.0.0.1:9527) and FORECOURT_TOKEN, from the
environment or from lines of the same names in ~/.config/forecourt; otherwise it is the one that npm start runs here.

Exit code 0: done; 1: the answer is no (no record, denied, failed in Move, differs); 2: wrong arguments, or a failure.`,
  );

/** Runs the command of this process' arguments, and sets the exit code. */
export async function runCommandLine(): Promise<void> {
  process.stdout.on('error', endWithOutput);
  const [first = '', second = ''] = process.argv.slice(2);
  await addCommands(first === 'help' ? second : first);
  if (Object.hasOwn({ ...groups['Use a gas station:'], ...groups['Operate it:'] }, first)) {
    useRunningSystem();
    watchShell(() => process.kill(process.pid))?.unref();
  }
  process.chdir(CALLER_FOLDER);
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
}

/**
 * Adds the command of this name, for completion every command, and of the others what the list of commands shows.
 */
async function addCommands(name: string): Promise<void> {
  const clone = IS_CLONE ? await import('./clone/index.js') : undefined;
  const ofClone: Readonly<Record<string, (command: Command) => Promise<Command>>> = {
    ...clone?.loaders,
  };
  for (const [title, commands] of Object.entries({ ...groups, ...clone?.groups })) {
    for (const [one, about] of Object.entries(commands)) {
      let command = new Command(one).copyInheritedSettings(program);
      if (one === name || name === 'completion') {
        command = Object.hasOwn(loaders, one)
          ? inheritSettings(await loaders[one as Name](), program)
          : await ofClone[one]!(command);
      }
      program.addCommand(command.description(about).helpGroup(title));
    }
  }
}

/** Also for subcommands: otherwise their mistakes would end the process with Commander's exit code. */
function inheritSettings(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const subcommand of command.commands) inheritSettings(subcommand, command);
  return command;
}

/** A program such as `head` closes the pipe when it has read enough: that is not an error. */
function endWithOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written: ${message}\n`);
  process.exit(EXIT.failed);
}

/** Errors whose answer is no, by their names: a clone has their classes both in the bundle and beside it. */
const NEGATIVE = new Set(['Failure', 'UnsafePlace']);

/** Says what is wrong, and returns the exit code. */
function report(error: unknown): number {
  // Commander has printed what is wrong.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.failed;
  console.error(error instanceof Error ? error.message : error);
  const { name, isNoRecord } = error as Partial<RouteRefusal>;
  return isNoRecord || NEGATIVE.has(name ?? '') ? EXIT.negative : EXIT.failed;
}

/** Says what must be given, and shows a default as it is typed: Commander would write it as JSON. */
function describeParameter(parameter: Option | Argument): string {
  const { description, defaultValueDescription, argChoices } = parameter;
  const defaultValue: unknown = parameter.defaultValue;
  const text = [description, argChoices?.join(', ')].filter(Boolean).join(': ');
  if ('mandatory' in parameter && parameter.mandatory) return `${text} (required)`;
  if (defaultValue === undefined || defaultValue === false) return text;
  return `${text} (default: ${defaultValueDescription ?? (defaultValue as string)})`;
}
