import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type App, appProgram, ROOT } from './paths.js';
import { untilReady } from './until-ready.js';
import type { Watchdog } from './watchdog.js';

export interface ServiceOptions {
  readonly app: App;
  /** The clone of the repository whose build is run; default: this one. */
  readonly clone?: string | undefined;
  /** Program and arguments, run in the clone's folder; default: this Node with the app's build. */
  readonly command?: readonly [string, ...string[]];
  /** Its name in logs; default: the app's name. */
  readonly name?: string;
  /** The service's whole environment, beside PATH and HOME. */
  readonly env: NodeJS.ProcessEnv;
  /** Everything it prints is appended here. */
  readonly logFile: string;
  /** Its HTTP address, where `/health/ready` answers. */
  readonly url: string;
  /** Where it shows its metrics, if not beside its probes. */
  readonly metricsUrl?: string;
  readonly watchdog?: Watchdog;
  /** How long it may take to become ready, in ms (default 60 000). */
  readonly readyMs?: number;
}

const READY_MS = 60_000;
const STOP_MS = 25_000;

/** One service as a child process: it can be killed, stopped and started again with the same settings. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  /** Where in the log file this start begins. */
  private logBegin = 0;
  private clone: string;

  constructor(readonly options: ServiceOptions) {
    this.clone = options.clone ?? ROOT;
  }

  get app(): App {
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
    return this.child?.pid;
  }
  get running(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** From its next start on it is the build of this clone. */
  replaceBy(clone: string): void {
    this.clone = clone;
  }

  /**
   * Starts it, with `more` in its environment this time, and waits until it is ready. Throws `Error` with its last log lines when
   * it ends or the time is up.
   */
  async start(more: NodeJS.ProcessEnv = {}): Promise<void> {
    this.launch(more);
    await this.ready();
  }

  /** Starts it without waiting. */
  launch(more: NodeJS.ProcessEnv = {}): void {
    const { app, command, env, logFile, watchdog } = this.options;
    mkdirSync(dirname(logFile), { recursive: true });
    this.logBegin = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const log = createWriteStream(logFile, { flags: 'a' });
    const built = appProgram(app, 'main.js', this.clone);
    const usual = [process.execPath, '--enable-source-maps', built] as const;
    const [program, ...args] = command ?? usual;
    const child = spawn(program, args, {
      cwd: this.clone,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.once('close', () => log.end());
    watchdog?.watch(child);
    this.child = child;
  }

  /** Waits until `/health/ready` answers 200. Throws `Error` with its last log lines when it ends or the time is up. */
  async ready(): Promise<void> {
    const problem = await untilReady(
      `${this.url}/health/ready`,
      this.options.readyMs ?? READY_MS,
      () => this.running,
    );
    if (problem === null) return;
    throw new Error(`${this.name} ${problem}. Last lines of its log:\n${await this.lastLines()}`);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child?.kill(signal);
  }

  /** The exit code, or null when a signal ended it; waits for its end. */
  async exited(): Promise<number | null> {
    if (this.child && this.running) await once(this.child, 'exit');
    return this.child?.exitCode ?? null;
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

  /** Everything it has printed so far. */
  async log(): Promise<string> {
    return readFile(this.options.logFile, 'utf8').catch(() => '');
  }

  /** Of this start; the log may hold those before it. */
  private async lastLines(count = 12): Promise<string> {
    const bytes = await readFile(this.options.logFile).catch(() => Buffer.alloc(0));
    const lines = bytes.subarray(this.logBegin).toString().trimEnd().split('\n');
    return lines.slice(-count).join('\n');
  }
}
