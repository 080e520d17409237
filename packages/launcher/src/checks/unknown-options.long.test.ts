import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';
import { benchmarks, soaks, verifications } from '../commands/measurements.js';
import { COMMANDS } from '../launcher.js';

const FORECOURT = join(ROOT, 'packages', 'launcher', 'bin', 'forecourt.mjs');
/** Jest, which these run, reads its options itself. */
const OF_JEST = ['test', 'grpc-suite', 'index-suite', 'variants'];
const programsOf = (script: string, programs: object) =>
  Object.keys(programs).map((name) => [script, name]);
const commands = [
  ...Object.keys(COMMANDS).map((name) => [name]),
  ...['audit', 'doctor', 'token', 'access', 'import-config'].map((name) => [name]),
  ...programsOf('bench', benchmarks),
  ...programsOf('soak', soaks),
  ...programsOf('verify', verifications),
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
