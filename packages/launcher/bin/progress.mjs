export const startedAt = Date.now();

/** One line about what happens now, with the time since the start, on standard error. */
export function say(text) {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds}s  ${text}\n`);
}

/** An error that the user can fix: its message is shown without a stack. */
export class Failure extends Error {}

/** Runs a command and takes its exit code; an error ends the process with 1 and its message. */
export async function runCommand(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`\n${error instanceof Failure ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}
