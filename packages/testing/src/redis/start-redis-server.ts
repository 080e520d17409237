import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { endServerProcess, startServerProcess } from './server-process.js';

export interface RedisServerOptions {
  /** Where its data are kept; absent: a temporary folder that is removed with the server. */
  readonly dir?: string;
  /** Absent: any free one. */
  readonly port?: number;
  /** Default `always`: what Redis has acknowledged survives a crash. */
  readonly appendfsync?: 'always' | 'everysec' | 'no';
  /** Its users, one per line, as `ACL SETUSER` takes them: `user name on >password ~keys +commands`; absent: no password. */
  readonly users?: readonly string[];
  /** Further arguments of the server: `['--replicaof', '127.0.0.1 7000']`. */
  readonly settings?: readonly string[];
}

/** A private Redis on loopback. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  readonly process: ChildProcess;
  /** Ends it (default SIGTERM) and waits; a temporary folder is removed. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a durable Redis (append-only file, no eviction) and waits until it takes connections.
 * Throws when no server program is found or it ends before it is ready; the message holds what it printed.
 */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const port = options.port ?? (await freePort());
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'forecourt-redis-'));
  mkdirSync(dir, { recursive: true });
  const own = serverArguments(port, dir, options.appendfsync ?? 'always');
  const settings = [
    ...(options.users ? usersFile(dir, options.users) : []),
    ...(options.settings ?? []),
  ];
  const child = await startServerProcess([...own, ...settings], 'Ready to accept connections');
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    process: child,
    async stop(signal = 'SIGTERM') {
      await endServerProcess(child, signal);
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

function serverArguments(port: number, dir: string, appendfsync: string): string[] {
  return [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    dir,
    '--appendonly',
    'yes',
    '--appendfsync',
    appendfsync,
    '--maxmemory-policy',
    'noeviction',
    '--save',
    '',
    '--daemonize',
    'no',
  ];
}

function usersFile(dir: string, users: readonly string[]): string[] {
  const file = join(dir, 'users.acl');
  writeFileSync(file, users.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  return ['--aclfile', file];
}
