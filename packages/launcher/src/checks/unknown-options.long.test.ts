import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Turbo, eslint and other tools read their options themselves, and so does jest, which `forecourt test` runs. */
const commands = Object.entries(scripts).filter(
  ([, command]) => command.includes('forecourt.mjs') && !command.includes('forecourt.mjs test'),
);

it.each(commands)('refuses an option that it does not have: npm run %s', async (_name, command) => {
  const [, ...args] = command.split(' ');
  const running = promisify(execFile)(process.execPath, [...args, '--nosuch'], { cwd: ROOT });
  const outcome = await running.catch(
    (error: unknown) => error as { code: number; stderr: string },
  );
  expect(outcome).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringMatching(/unknown (option|argument|command).*nosuch/i),
  });
});
