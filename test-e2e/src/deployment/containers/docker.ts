import { execFile } from 'node:child_process';
import type { Finished } from '@forecourt/testing/system';

const MAX_OUTPUT = 2 ** 28;

/** Runs the client of the container engine; `signal` ends its commands. */
export class Docker {
  /** `variables`: those of the Compose file. */
  constructor(
    private readonly variables: NodeJS.ProcessEnv,
    private readonly signal?: AbortSignal,
  ) {}

  /** Returns the standard output of a command. Throws `Error` with the command's output if it fails. */
  async run(args: readonly string[], input = ''): Promise<string> {
    const { exitCode, stdout, output } = await this.try(args, input);
    if (exitCode === 0) return stdout;
    throw new Error(`docker ${args.join(' ')} ended with ${exitCode}:\n${output.trimEnd()}`);
  }

  /** Returns the result of a command, also of one that fails; `input` is its standard input. */
  try(args: readonly string[], input = ''): Promise<Finished> {
    return new Promise((resolve, reject) => {
      const options = {
        env: { ...process.env, ...this.variables },
        maxBuffer: MAX_OUTPUT,
        ...(this.signal && { signal: this.signal }),
      };
      const child = execFile('docker', args, options, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number')
          reject(new Error(error.message, { cause: error }));
        else resolve({ exitCode: Number(error?.code ?? 0), stdout, output: stdout + stderr });
      });
      // A command that does not read its input is not a failure.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
  }
}
