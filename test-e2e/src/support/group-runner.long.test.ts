import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { ROOT } from '@forecourt/testing/system';
import { afterAll, describe, expect, it } from '@jest/globals';

const JEST = fileURLToPath(new URL('../../jest/', import.meta.url));
const folder = new TemporaryFolder();
afterAll(() => folder.remove());

/** Files of one workspace. */
const FILES = {
  'apps/a/src/passing.test.mjs': `
    import { shared } from './shared.mjs';
    describe('a block', () => { it('passes', () => { shared.count += 1; }); });`,
  'apps/a/src/failing.test.mjs': `
    import { shared } from './shared.mjs';
    beforeAll(() => { shared.count += 10; });
    it('passes', () => undefined);
    it('fails', () => { throw new Error(\`count \${shared.count}\`); });`,
  'apps/a/src/hooked.test.mjs': `
    beforeAll(() => { throw new Error('no start'); });
    it('is not reached', () => undefined);`,
  'apps/a/src/empty.test.mjs': '',
  'apps/a/src/broken.test.mjs': `import './missing.mjs';`,
  'apps/a/src/shared.mjs': 'export const shared = { count: 0 };',
};

interface Outcome {
  readonly numPassedTests: number;
  readonly numTotalTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The result of jest as JSON. */
async function runJest(): Promise<Outcome> {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(folder.pathOf(name)), { recursive: true });
    writeFileSync(folder.pathOf(name), text);
  }
  const config = {
    rootDir: folder.pathOf('.'),
    testMatch: ['<rootDir>/apps/**/*.test.mjs'],
    testEnvironment: join(JEST, 'group-environment.mjs'),
    runner: join(JEST, 'group-runner.mjs'),
    transform: {},
  };
  const jest = [join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'), '--json', '--runInBand'];
  const args = ['--experimental-vm-modules', ...jest, '--config', JSON.stringify(config)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch(
    (failed: { stdout: string }) => failed,
  );
  return JSON.parse(stdout) as Outcome;
}

describe('the runner of unit tests', () => {
  it('reports each file of a group as if it had run alone, and keeps its hooks apart', async () => {
    const outcome = await runJest();
    expect(outcome).toMatchObject({ numPassedTests: 2, numTotalTestSuites: 5 });
    const found = outcome.testResults.map(({ name, message, assertionResults: tests }) => [
      name.slice(name.lastIndexOf('/') + 1).replace('.test.mjs', ''),
      tests.map(({ fullName, status }) => `${fullName}: ${status}`),
      message,
    ]);
    expect(found.toSorted()).toEqual([
      ['broken', ['can be imported: failed'], expect.stringContaining('missing.mjs')],
      ['empty', [], expect.stringContaining('must contain at least one test')],
      ['failing', ['passes: passed', 'fails: failed'], expect.stringMatching(/count 1[01]/)],
      ['hooked', ['is not reached: failed'], expect.stringContaining('no start')],
      ['passing', ['a block passes: passed'], ''],
    ]);
  });
});
