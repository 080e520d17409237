import type { ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecret } from '@forecourt/resilience/files';
import { endServerProcess, startServerProcess } from './server-process.js';

/** A private Redis on loopback. It can be killed and started again on its port and data. */
export class RedisServer {
  #process: ChildProcess | null = null;

  constructor(
    readonly port: number,
    private readonly dir: string,
    private readonly options: RedisServerOptions,
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it, also after a stop; only data in a named folder is kept. */
  async start(): Promise<void> {
    const { port, dir, options } = this;
    mkdirSync(dir, { recursive: true });
    const settings = {
      bind: '127.0.0.1',
      port: String(port),
      dir,
      appendonly: 'yes',
      appendfsync: options.appendfsync ?? 'always',
      'maxmemory-policy': 'noeviction',
      save: '',
      daemonize: 'no',
      ...(options.users && { aclfile: usersFile(dir, options.users) }),
      ...options.settings,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    this.#process = await startServerProcess(args, 'Ready to accept connections');
    options.watchdog?.watch(this.#process);
  }

  /** Sends a signal without waiting for its effect. */
  kill(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Ends it (default SIGTERM) and waits; a temporary folder is removed. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#process) await endServerProcess(this.#process, signal);
    if (this.options.dir === undefined) rmSync(this.dir, { recursive: true, force: true });
  }
}

function usersFile(dir: string, users: readonly string[]): string {
  const file = join(dir, 'users.acl');
  writeSecret(file, users.map((line) => `${line}\n`).join(''));
  return file;
}

export interface RedisServerOptions {
  /** The folder of its data; absent: a temporary folder that is removed with the server. */
  readonly dir?: string;
  /** Absent: any free one. */
  readonly port?: number;
  /** Default `always`: acknowledged writes survive a crash. */
  readonly appendfsync?: 'always' | 'everysec' | 'no';
  /**
   * Its users, one per line, as `ACL SETUSER` takes them: `user name on >password ~keys +commands`; absent:
   * no password.
   */
  readonly users?: readonly string[];
  /** Further settings of the server: `{ replicaof: '127.0.0.1 7000' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with each started process. */
  readonly watchdog?: { watch(child: ChildProcess): void };
}
