import { Command } from 'commander';
import type { Pause, PausesResponse } from '@forecourt/contracts';
import { callRoute } from '../terminal/call-route.js';
import { formatJson, formatTable } from '../terminal/format-table.js';
import { type Connection, readConnection } from '../terminal/connection-config.js';
import { EXIT } from '../terminal/exit-codes.js';

type Paused = PausesResponse['result'];

interface ScopeOptions {
  readonly sponsor?: string;
  readonly token?: string;
  readonly json?: boolean;
}

const scopeOf = ({ sponsor, token }: ScopeOptions) => ({
  ...(sponsor !== undefined && { sponsor_address: sponsor }),
  ...(token !== undefined && { token }),
});

/** `pause`: stops sponsoring. */
export function pauseCommand(): Command {
  return withScope(new Command('pause'))
    .requiredOption('--reason <text>', 'told to callers')
    .action(async (options: ScopeOptions & { readonly reason: string }) => {
      const body = { ...scopeOf(options), reason: options.reason };
      print(await callRoute<Paused>(readConnection(), 'POST', '/v1/pause', body), options);
    });
}

/** `resume`: ends a pause. */
export function resumeCommand(): Command {
  return withScope(new Command('resume'))
    .addHelpText('after', '\nExit code 1: it was not paused.')
    .action(async (options: ScopeOptions) => {
      const body = scopeOf(options);
      const connection = readConnection();
      const before = await listPauses(connection);
      const after = await callRoute<Paused>(connection, 'POST', '/v1/resume', body);
      print(after, options);
      const still = new Set(after.paused.map(({ scope }) => scope));
      if (before.paused.some(({ scope }) => !still.has(scope))) return;
      console.error(
        'This was not paused: give --sponsor or --token as `forecourt pauses` lists the scope.',
      );
      process.exitCode = EXIT.negative;
    });
}

/** `pauses`: all that is paused. */
export function pausesCommand(): Command {
  return new Command('pauses')
    .option('--json', 'for programs')
    .action(async (options: ScopeOptions) => {
      print(await listPauses(readConnection()), options);
    });
}

function withScope(command: Command): Command {
  return command
    .option('--sponsor <address>', 'this sponsor only')
    .option('--token <name>', 'this token only; neither: everything')
    .option('--json', 'for programs');
}

/** All that is paused. Throws `Error` as `callRoute` does. */
export function listPauses(connection: Connection): Promise<Paused> {
  return callRoute<Paused>(connection, 'GET', '/v1/pauses');
}

function print({ paused, warnings = [] }: Paused, { json = false }: ScopeOptions): void {
  for (const warning of warnings) console.error(warning);
  console.log(json ? formatJson({ paused }) : formatPauses(paused));
}

/** Pauses as text for people. */
export function formatPauses(paused: readonly Pause[]): string {
  if (paused.length === 0) return 'Nothing is paused.';
  return formatTable([['scope', 'since', 'by', 'reason'], ...paused.map(rowOf)]);
}

function rowOf({ scope, since, by, reason }: Pause): string[] {
  return [scope, new Date(since).toISOString(), by, reason];
}
