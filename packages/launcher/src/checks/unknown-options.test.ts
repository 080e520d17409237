import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Those of other tools, which read their own options, and those that build first: their programs read options strictly. */
const OTHERS = /^(test|build|lint|format)\b|^bench|^soak|^mutants|^verify:(idle|upgrade)/;
const commands = Object.entries(scripts).filter(([name]) => !OTHERS.test(name));

it.each(commands)('npm run %s refuses an option that it does not have', async (_name, command) => {
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
