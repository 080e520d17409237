import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ForecourtError, type TrafficRecord } from '@forecourt/contracts';
import type {
  ReplayAnswer,
  ReplayFindings,
  ReplayQuestion,
  ReplayTask,
} from './replay-messages.js';

const PROGRAM = new URL('../bundle/replay-worker/replay-worker.js', import.meta.url);
const MEMORY_MB = 512;
/** For reading the rules, and for one page of records: far more than either takes. */
const ANSWER_MS = 20_000;

/** The thread of one replay. Once it has ended, it rejects every request. */
export class ReplayThread {
  readonly #worker: Worker;
  readonly #ended: Promise<Error>;

  private constructor(task: ReplayTask) {
    this.#worker = new Worker(PROGRAM, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      stdin: false,
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once('error', (error: Error) => resolve(reasonOf(error)));
      this.#worker.once('exit', () => resolve(new Error('the thread of the replay has ended')));
    });
  }

  /**
   * Begins one, which reads the rules. Throws ACCESS_RULES_INVALID, and REPLAY_TOO_COSTLY for rules that take too long to read.
   */
  static async start(task: ReplayTask, signal: AbortSignal): Promise<ReplayThread> {
    const thread = new ReplayThread(task);
    signal.addEventListener('abort', () => void thread.stop(), { once: true });
    if (signal.aborted) void thread.stop();
    try {
      const begun = await thread.answered();
      if (begun.kind === 'invalid') {
        throw new ForecourtError('ACCESS_RULES_INVALID', begun.problem);
      }
      return thread;
    } catch (error) {
      await thread.stop();
      throw error;
    }
  }

  /** Throws REPLAY_TOO_COSTLY, and `Error` after the end. */
  async decide(records: readonly TrafficRecord[]): Promise<void> {
    await this.ask(records);
  }

  /** Throws as `decide`. */
  async report(): Promise<ReplayFindings> {
    const answer = await this.ask(null);
    if (answer.kind !== 'report') throw new Error(`the replay answered ${answer.kind}`);
    return answer;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  private ask(question: ReplayQuestion): Promise<ReplayAnswer> {
    this.#worker.postMessage(question);
    return this.answered();
  }

  private async answered(): Promise<ReplayAnswer> {
    const over = new AbortController();
    const late = delay(ANSWER_MS, null, { signal: over.signal }).then(() => tooCostly());
    const answer = new Promise<ReplayAnswer>((resolve) => this.#worker.once('message', resolve));
    try {
      const first = await Promise.race([answer, this.#ended, late]);
      if (first instanceof Error) throw first;
      return first;
    } finally {
      late.catch(() => undefined);
      over.abort();
    }
  }
}

function tooCostly(): ForecourtError {
  const problem = `the rules take longer than ${ANSWER_MS / 1_000} s to read, or to decide about a hundred transactions; simplify their expressions`;
  return new ForecourtError('REPLAY_TOO_COSTLY', problem);
}

function reasonOf(error: Error): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  const problem = `it needs more than ${MEMORY_MB} MB of memory; replay a shorter period, or one token`;
  return new ForecourtError('REPLAY_TOO_COSTLY', problem);
}
