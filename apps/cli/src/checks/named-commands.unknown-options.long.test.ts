import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';
import ofClone from '../clone/commands.json' with { type: 'json' };
import groups from '../commands.json' with { type: 'json' };
import { PROGRAMS } from './named-commands.js';

const FORECOURT = join(ROOT, 'apps', 'cli', 'bin', 'forecourt.mjs');
/** Jest, which these run, reads its options itself. */
const OF_JEST = ['test', 'grpc-suite', 'index-suite', 'variants'];
/** Commands without required options; forecourt.every-command.long.test.ts has the others. */
const names = Object.values({ ...groups, ...ofClone, 'Use a gas station:': {}, 'Operate it:': {} });
const commands = [
  ...names.flatMap((one) => Object.keys(one)).map((name) => [name]),
  ...['audit', 'doctor', 'token', 'access'].map((name) => [name]),
  ...['bench', 'soak', 'verify'].flatMap((script) =>
    PROGRAMS[script]!.map((name) => [script, name]),
  ),
].filter((names) => !OF_JEST.includes(names.at(-1)!));

it.each(commands.map((names) => [names.join(' '), names] as const))(
  'refuses an option that it does not have: forecourt %s',
  async (_name, names) => {
    const running = promisify(execFile)(process.execPath, [FORECOURT, ...names, '--nosuch']);
    const outcome = await running.catch(
      (error: unknown) => error as { code: number; stderr: string },
    );
    expect(outcome).toMatchObject({
      code: expect.any(Number),
      stderr: expect.stringMatching(/unknown (option|argument|command).*nosuch/i),
    });
  },
);
