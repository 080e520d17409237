import { Command } from 'commander';
import type { Pause, PausesResponse } from '@forecourt/contracts';
import { callOperatorRoute } from '../terminal/call-operator-route.js';
import { formatJson, formatTable } from '../terminal/print-table.js';
import { readConnection } from '../terminal/connection-config.js';

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

/** `pause`, `resume` and `pauses`: for operators. */
export function pauseCommands(): Command[] {
  const pause = withScope(new Command('pause'))
    .description('stop sponsoring: everything, a sponsor or a token (role operator)')
    .requiredOption('--reason <text>', 'told to callers')
    .action(async (options: ScopeOptions & { readonly reason: string }) => {
      const body = { ...scopeOf(options), reason: options.reason };
      print(await callOperatorRoute<Paused>(readConnection(), 'POST', '/v1/pause', body), options);
    });
  const resume = withScope(new Command('resume'))
    .description('resume what was paused (role operator)')
    .action(async (options: ScopeOptions) => {
      const body = scopeOf(options);
      print(await callOperatorRoute<Paused>(readConnection(), 'POST', '/v1/resume', body), options);
    });
  const pauses = new Command('pauses')
    .description('show what is paused, by whom and why (role operator)')
    .option('--json', 'for programs')
    .action(async (options: ScopeOptions) => {
      print(await callOperatorRoute<Paused>(readConnection(), 'GET', '/v1/pauses'), options);
    });
  return [pause, resume, pauses];
}

function withScope(command: Command): Command {
  return command
    .option('--sponsor <address>', 'this sponsor only')
    .option('--token <name>', 'this token only; neither: everything')
    .option('--json', 'for programs');
}

function print({ paused }: Paused, { json = false }: ScopeOptions): void {
  if (json) console.log(formatJson({ paused }));
  else if (paused.length === 0) console.log('Nothing is paused.');
  else console.log(formatTable([['scope', 'since', 'by', 'reason'], ...paused.map(rowOf)]));
}

function rowOf({ scope, since, by, reason }: Pause): string[] {
  return [scope, new Date(since).toISOString(), by, reason];
}
