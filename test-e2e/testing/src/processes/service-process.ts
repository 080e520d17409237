import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appProgram, type Program, ROOT } from './paths.js';
import { untilReady } from './until-ready.js';
import type { Watchdog } from './watchdog.js';

export interface ServiceOptions {
  readonly app: Program;
  /** The built clone of the repository whose app runs; default: this one. */
  readonly clone?: string | undefined;
  /** Program and arguments, run in the clone's folder; default: this Node with the app's build. */
  readonly command?: readonly [string, ...string[]];
  /** Its name in logs; default: the app's name. */
  readonly name?: string;
  /** The service's whole environment, apart from PATH and HOME. */
  readonly env: NodeJS.ProcessEnv;
  /** The file that its output is appended to. */
  readonly logFile: string;
  /** Its HTTP address for `/health/ready`. */
  readonly url: string;
  /** Further addresses whose `/health/ready` must answer before it is ready. */
  readonly otherUrls?: readonly string[];
  /** The address of its metrics, if it differs from that of its probes. */
  readonly metricsUrl?: string;
  readonly watchdog?: Watchdog;
  /** Time limit for becoming ready, in ms (default 120 000). */
  readonly readyMs?: number;
}

const READY_MS = 120_000;
const STOP_MS = 25_000;

/** One service as a child process: it can be killed, stopped and started again with the same settings. */
export class ServiceProcess {
  #child: ChildProcess | undefined;
  /** Position in the log file at which this start begins. */
  #logBegin = 0;
  #clone: string;

  constructor(readonly options: ServiceOptions) {
    this.#clone = options.clone ?? ROOT;
  }

  get app(): Program {
    return this.options.app;
  }
  get name(): string {
    return this.options.name ?? this.options.app;
  }
  get url(): string {
    return this.options.url;
  }
  get metricsUrl(): string {
    return this.options.metricsUrl ?? `${this.url}/metrics`;
  }
  get pid(): number | undefined {
    return this.#child?.pid;
  }
  get running(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /** Uses the build of this clone from the next start on. */
  replaceBy(clone: string): void {
    this.#clone = clone;
  }

  /**
   * Starts it, with `more` in its environment this time, and waits until it is ready. Throws
   * `Error` with its last log lines when it ends or the time limit passes.
   */
  async start(more: NodeJS.ProcessEnv = {}): Promise<void> {
    this.launch(more);
    await this.ready();
  }

  /** Starts it without waiting. */
  launch(more: NodeJS.ProcessEnv = {}): void {
    const { app, command, env, logFile, watchdog } = this.options;
    mkdirSync(dirname(logFile), { recursive: true });
    this.#logBegin = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    // The service's own descriptor: what cannot be written is the service's to handle, and cannot end this
    // process.
    const log = openSync(logFile, 'a');
    const built = appProgram(app, 'main.js', this.#clone);
    const usual = [process.execPath, '--enable-source-maps', built] as const;
    const [program, ...args] = command ?? usual;
    const child = spawn(program, args, {
      cwd: this.#clone,
      env: { ...env, ...more },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    watchdog?.watch(child);
    this.#child = child;
  }

  /**
   * Waits until `/health/ready` returns 200. Throws `Error` with its last log lines when it ends or
   * the time limit passes.
   */
  async ready(): Promise<void> {
    const { url, otherUrls = [], readyMs = READY_MS } = this.options;
    const problems = await Promise.all(
      [url, ...otherUrls].map((one) =>
        untilReady(`${one}/health/ready`, readyMs, () => this.running),
      ),
    );
    const problem = problems.find((one) => one !== null);
    if (problem === undefined) return;
    throw new Error(`${this.name} ${problem}. Last lines of its log:\n${await this.lastLines()}`);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child?.kill(signal);
  }

  /** Waits for its end. The exit code, or null when a signal ended it. */
  async exited(): Promise<number | null> {
    if (this.#child && this.running) await once(this.#child, 'exit');
    return this.#child?.exitCode ?? null;
  }

  /** Sends SIGTERM, and SIGKILL when it has not ended by the deadline. */
  async stop(deadlineMs = STOP_MS): Promise<void> {
    if (!this.running) return;
    this.kill('SIGTERM');
    const cut = setTimeout(() => this.kill('SIGKILL'), deadlineMs);
    await this.exited();
    clearTimeout(cut);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Its whole output so far. */
  async log(): Promise<string> {
    return readFile(this.options.logFile, 'utf8').catch(() => '');
  }

  /** Output of this start; the log may hold earlier ones. */
  private async lastLines(count = 12): Promise<string> {
    const bytes = await readFile(this.options.logFile).catch(() => Buffer.alloc(0));
    const lines = bytes.subarray(this.#logBegin).toString().trimEnd().split('\n');
    return lines.slice(-count).join('\n');
  }
}
