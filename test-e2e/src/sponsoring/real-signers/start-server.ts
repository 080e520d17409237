import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitUntil } from '@forecourt/testing/system';

/** A program that listens; it ends with `stop`. */
export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a program and waits until its URL answers anything. Throws `Error` when it ends. */
export async function startServer(
  program: string,
  args: readonly string[],
  url: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const options = { env: { ...process.env, ...env }, stdio: 'ignore' } as const;
  const child = spawn(program, args, options);
  const ended = once(child, 'exit');
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    return fetch(url).then(
      () => true,
      () => false,
    );
  });
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
