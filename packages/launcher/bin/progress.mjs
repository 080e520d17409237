const startedAt = Date.now();

/** One line about what happens now, with the time since the start, on standard error. */
export function say(text) {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds}s  ${text}\n`);
}

export { startedAt };

/** Something the reader can put right: shown without a stack. */
export class Failure extends Error {}

/** Runs a command; what it cannot put right itself ends the process with 1 and one clear message. */
export async function runCommand(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`\n${error instanceof Failure ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}
