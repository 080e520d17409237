import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findRedisServer } from './find-redis-server.js';
import { inheritedPath } from './search-path-config.js';

/**
 * Starts the server program and waits until it prints `ready`. Throws when there is no such program
 * or it ends first; the message holds its output.
 */
export async function startServerProcess(
  args: readonly string[],
  ready: string,
): Promise<ChildProcess> {
  const program = findRedisServer(inheritedPath());
  if (!program) throw new Error('neither redis-server nor valkey-server was found in PATH');
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    if (line.includes(ready)) {
      child.stdout.resume();
      return child;
    }
  }
  throw new Error(`the Redis server ended before it was ready:\n${printed.slice(-10).join('\n')}`);
}

/** Ends a server, unless it has ended, and waits. */
export async function endServerProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
