import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort, inheritedEnvironment, ROOT } from '@forecourt/testing/system';

export interface Example {
  /** Address of the page. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts `npm run example` for a gateway, and waits for the address that it prints. Throws if the program
 * ends first.
 */
export async function startExample(gatewayUrl: string, token: string): Promise<Example> {
  const program = join(ROOT, 'apps', 'cli', 'bin', 'forecourt.mjs');
  const child = spawn(process.execPath, [program, 'example'], {
    cwd: ROOT,
    env: {
      ...inheritedEnvironment(),
      FORECOURT_URL: gatewayUrl,
      FORECOURT_TOKEN: token,
      EXAMPLE_PAGE_PORT: String(await freePort()),
      EXAMPLE_BACKEND_PORT: String(await freePort()),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Open (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return {
      url,
      async stop() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`npm run example ended with ${(await ended)[0]}`);
}
