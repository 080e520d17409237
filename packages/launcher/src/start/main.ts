import { readLauncherConfig } from './launcher-config.js';
import { createSay } from './say.js';
import { start } from './start.js';
import { stopSignal } from './stop-signal.js';

/** The exit code that shells report for a program that Ctrl-C ended. */
const INTERRUPTED = 130;

const config = readLauncherConfig(process.argv.slice(2));
const say = createSay(config.startedAt);
const stop = stopSignal();
try {
  await start(config, say, stop);
} catch (error) {
  if (stop.aborted) process.exit(INTERRUPTED);
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof Error && error.cause instanceof Error) {
    process.stderr.write(`because: ${error.cause.message}\n`);
  }
  process.exitCode = 1;
}
// The pipe from the command that started this one would keep the process alive.
process.stdin.destroy();
