import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createCluster } from './create-cluster.js';
import { findPostgresPrograms, type PostgresPrograms } from './find-programs.js';
import { POSTGRES_USER } from './postgres-user.js';
import {
  type Account,
  chooseAccount,
  reachableFolder,
  reachablePrograms,
} from './server-account.js';

export interface PostgresServerOptions {
  /**
   * The folder for its data and log; created at the first start. For root, who starts the server as another
   * user, one in /var/tmp stands in for a folder that others may not enter.
   */
  readonly folder: string;
  readonly port: number;
  /** Of the user `forecourt`, who owns every database. */
  readonly password: string;
  /** False: a crash of the machine may lose data. */
  readonly isDurable?: boolean;
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: those that `findPostgresPrograms` finds. */
  readonly programs?: PostgresPrograms;
  /** Called with each started process. */
  readonly watchdog?: { watch(child: ChildProcess): void };
}

const READY_MS = 60_000;
const ASK_EVERY_MS = 20;
/** Sessions are cut after this time, then the processes are killed. */
const STOP_MS = 10_000;
/** Committed data survive the end of the server, but not that of the machine. */
const FAST = { fsync: 'off', full_page_writes: 'off' };

/**
 * Starts a PostgreSQL on loopback and waits until it accepts connections. Throws `Error` with the last lines
 * of its log.
 */
export async function startPostgresServer(options: PostgresServerOptions): Promise<PostgresServer> {
  const server = new PostgresServer(options);
  await server.start();
  return server;
}

/** A private PostgreSQL. It can be killed and started again on its port and data. */
export class PostgresServer {
  readonly #programs: string;
  readonly #account: Account;
  readonly #folder: string;
  #process: ChildProcess | null = null;

  constructor(private readonly options: PostgresServerOptions) {
    const { programs = findPostgresPrograms() } = options;
    this.#account = chooseAccount();
    this.#folder = reachableFolder(options.folder, this.#account);
    this.#programs = reachablePrograms(programs, this.#account, this.#folder);
  }

  /** Of its database `postgres`. */
  get url(): string {
    const { port, password } = this.options;
    return `postgres://${POSTGRES_USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  }
  get pid(): number | undefined {
    return this.#process?.pid;
  }
  get running(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }
  get logFile(): string {
    return join(this.#folder, 'postgres.log');
  }
  private get data(): string {
    return join(this.#folder, 'data');
  }

  /** Starts it, also after a stop or a kill. Throws as `startPostgresServer`. */
  async start(): Promise<void> {
    const { password, isDurable = true } = this.options;
    if (!existsSync(join(this.data, 'PG_VERSION'))) {
      mkdirSync(this.data, { recursive: true, mode: 0o700 });
      const account = this.#account;
      if (account.uid !== undefined) chownSync(this.data, account.uid, account.gid!);
      const initdb = join(this.#programs, 'initdb');
      await createCluster(initdb, this.data, password, { account, isDurable });
    }
    const log = openSync(this.logFile, 'a');
    const child = spawn(join(this.#programs, 'postgres'), this.arguments(), {
      ...this.#account,
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#process = child;
    // Rejects where the program cannot run.
    await once(child, 'spawn');
    this.options.watchdog?.watch(child);
    await this.untilReady(child);
  }

  /** Lets this process end while the server runs. */
  unref(): void {
    this.#process?.unref();
  }

  /**
   * Sends a signal to the server, which passes it on to its processes as it does with any signal but SIGKILL.
   */
  kill(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Ends it, also while clients are connected, and waits. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child === null || !this.running) return;
    const ended = once(child, 'exit');
    // A fast shutdown; then an immediate one.
    child.kill('SIGINT');
    const late = setTimeout(() => child.kill('SIGQUIT'), STOP_MS);
    await ended;
    clearTimeout(late);
  }

  private arguments(): string[] {
    const { port, isDurable = true, settings = {} } = this.options;
    const all: Record<string, string> = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      ...(isDurable ? {} : FAST),
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return ['-D', this.data, ...flags];
  }

  /** The server notes its state in the last line of its lock file. */
  private async untilReady(child: ChildProcess): Promise<void> {
    const deadline = performance.now() + READY_MS;
    const lock = join(this.data, 'postmaster.pid');
    while (this.running && performance.now() < deadline) {
      const lines = readIfPresent(lock).split('\n');
      if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return;
      await delay(ASK_EVERY_MS);
    }
    const problem = this.running ? `was not ready after ${READY_MS / 1_000} s` : 'has ended';
    const lastLines = readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-10);
    await this.stop();
    throw new Error(`PostgreSQL ${problem}. Last lines of its log:\n${lastLines.join('\n')}`);
  }
}

/** Empty for a file that does not exist: a server that ends removes its lock file at any moment. */
function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
