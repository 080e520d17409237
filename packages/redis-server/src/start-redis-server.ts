import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findRedisServer } from './find-redis-server.js';
import { freePort } from './free-port.js';
import { inheritedPath } from './search-path-config.js';

export interface RedisServerOptions {
  /** Where its data stay; absent: a temporary folder that goes with the server. */
  readonly dir?: string;
  /** Absent: any free one. */
  readonly port?: number;
  /** Default `always`: what Redis has acknowledged survives a crash. */
  readonly appendfsync?: 'always' | 'everysec' | 'no';
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
  const program = findRedisServer(inheritedPath());
  if (!program) throw new Error('no redis-server or valkey-server program was found');
  const port = options.port ?? (await freePort());
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'forecourt-redis-'));
  mkdirSync(dir, { recursive: true });
  const child = spawn(program, serverArguments(port, dir, options.appendfsync ?? 'always'), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await untilReady(child);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    process: child,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

function serverArguments(port: number, dir: string, appendfsync: string): string[] {
  return [
    ...['--bind', '127.0.0.1', '--port', String(port), '--dir', dir],
    ...['--appendonly', 'yes', '--appendfsync', appendfsync],
    ...['--maxmemory-policy', 'noeviction', '--save', '', '--daemonize', 'no'],
  ];
}

async function untilReady(child: ChildProcess): Promise<void> {
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    printed.push(line);
    if (line.includes('Ready to accept connections')) {
      child.stdout!.resume();
      return;
    }
  }
  throw new Error(`the Redis server ended before it was ready:\n${printed.slice(-10).join('\n')}`);
}
