import type { Command } from 'commander';
import { Failure } from '../workspace/failure.js';
import { requireFreePorts } from '../workspace/free-ports.js';
import { prepare, runBuilt } from '../workspace/prepare.js';
import { environment, readRunningSystem, toolEnvironment } from '../workspace/workspace-config.js';

const LISTENERS = [
  { variable: 'EXAMPLE_PAGE_PORT', port: 5173 },
  { variable: 'EXAMPLE_BACKEND_PORT', port: 5174 },
];
const NOT_RUNNING =
  'Run npm start in another terminal and wait until it is up, or set FORECOURT_URL and FORECOURT_TOKEN.';

/** `npm run example`. */
export function exampleCommand(command: Command): Command {
  return command
    .addHelpText(
      'after',
      `
Starts the example of docs/examples: a page whose visitors need no coins, and the backend that keeps the token. It uses
the Forecourt that npm start runs in another terminal. Ctrl-C stops it.

Variables:
  FORECOURT_URL, FORECOURT_TOKEN     another Forecourt, and a token for it
  EXAMPLE_PAGE_PORT                  port of the page (5173)
  EXAMPLE_BACKEND_PORT               port of the backend (5174)`,
    )
    .action(runExample);
}

async function runExample(): Promise<void> {
  const { FORECOURT_URL, FORECOURT_TOKEN } = { ...readRunningSystem(), ...environment };
  if (!FORECOURT_URL || !FORECOURT_TOKEN) {
    throw new Failure(`No Forecourt is running. ${NOT_RUNNING}`);
  }
  await requireForecourt(FORECOURT_URL);
  await requireFreePorts(LISTENERS);
  await prepare({ workspaces: ['./docs/examples'] });
  const env = { ...toolEnvironment(), FORECOURT_URL, FORECOURT_TOKEN };
  const { code, interrupted } = await runBuilt(['docs', 'examples', 'dist', 'start.js'], [], {
    env,
  });
  process.exitCode = interrupted ? 0 : code;
}

async function requireForecourt(url: string): Promise<void> {
  try {
    const response = await fetch(new URL('/version', url), { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
  } catch {
    throw new Failure(`No Forecourt answers at ${url}. ${NOT_RUNNING}`);
  }
}
