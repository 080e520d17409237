import { readStartConfig } from './start-config.js';
import { say as sayAt } from '../workspace/say.js';
import { start } from './start.js';

/** A signal that aborts on SIGINT, SIGTERM or SIGHUP, and when the command that started this process ends. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => controller.abort(signal));
  }
  process.stdin.on('end', () => controller.abort('end of input')).resume();
  return controller.signal;
}

/** The exit code that shells report for a program that Ctrl-C ended. */
const INTERRUPTED = 130;

const stop = stopSignal();
// The system is stopped in order all the same.
process.stdout.on('error', ({ message }) => {
  process.stderr.write(`The output cannot be written: ${message}\n`);
  process.exitCode = 2;
});
try {
  const config = readStartConfig(process.argv.slice(2));
  await start(config, (text) => sayAt(text, config.startedAt), stop);
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
