#!/usr/bin/env node
import { join } from 'node:path';
import { prepare, runTurbo } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';
import { readRunning } from './read-running.mjs';
import { requireFreePorts } from './require-free-ports.mjs';
import { runProgram } from './run-program.mjs';

const HELP = `npm run example

Starts the example of docs/examples: a page whose visitors need no coins, and the backend that keeps the token. It uses
the Forecourt that npm start runs in another terminal. Ctrl-C stops it.

Variables:
  FORECOURT_URL, FORECOURT_TOKEN     another Forecourt, and a token for it
  EXAMPLE_PAGE_PORT                  port of the page (5173)
  EXAMPLE_BACKEND_PORT               port of the backend (5174)`;

const LISTENERS = [
  ['EXAMPLE_PAGE_PORT', 5173],
  ['EXAMPLE_BACKEND_PORT', 5174],
];
const NOT_RUNNING =
  'Run npm start in another terminal and wait until it is up, or set FORECOURT_URL and FORECOURT_TOKEN.';

await runCommand(async () => {
  if (readOptions(HELP, {}) === null) return 0;
  const { FORECOURT_URL, FORECOURT_TOKEN } = { ...readRunning(), ...process.env };
  if (!FORECOURT_URL || !FORECOURT_TOKEN)
    throw new Failure(`No Forecourt is running. ${NOT_RUNNING}`);
  await requireForecourt(FORECOURT_URL);
  await requireFreePorts(process.env, LISTENERS);
  const { root, env, node } = await prepare({ redis: false, build: false });
  const { code: built, output } = await runTurbo('build', env, './docs/examples');
  if (built !== 0) throw new Failure(`the build failed:\n${output.trimEnd()}`);
  const folder = join(root, 'docs', 'examples');
  const { code, interrupted } = await runProgram(
    node,
    ['--enable-source-maps', join(folder, 'dist', 'start.js')],
    {
      cwd: folder,
      env: { ...env, FORECOURT_URL, FORECOURT_TOKEN },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return interrupted ? 0 : code;
});

async function requireForecourt(url) {
  try {
    const response = await fetch(new URL('/version', url), { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
  } catch {
    throw new Failure(`No Forecourt answers at ${url}. ${NOT_RUNNING}`);
  }
}
