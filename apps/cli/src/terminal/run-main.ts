import { EXIT } from './exit-codes.js';

/** Runs a program and takes its exit code; an error ends it with `EXIT.failed` and its message on standard error. */
export async function runMain(main: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = EXIT.failed;
  }
}
