import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { inheritedEnvironment } from '@forecourt/testing/system';
import type { LoadReply, LoadResult, LoadTask } from './load-task.js';

const PROGRAM = new URL('./load-program.js', import.meta.url);

/** The load program as a child process. */
export class LoadProcess {
  readonly #child: ChildProcess = fork(PROGRAM, { env: inheritedEnvironment() });

  /** Resolves when the task is over. Throws after any failure: such figures are invalid. */
  async run(task: LoadTask): Promise<LoadResult> {
    this.#child.send(task);
    const [reply] = (await once(this.#child, 'message')) as [LoadReply];
    if ('error' in reply) throw new Error(`the load failed: ${reply.error}`);
    const { count, first } = reply.result.failures;
    if (count > 0) throw new Error(`${count} requests failed:\n${first.join('\n')}`);
    return reply.result;
  }

  stop(): void {
    this.#child.kill();
  }
}
