import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../workspace/workspace-config.js';
import { findUnknownCommands } from './named-commands.js';
import { listFiles } from './references.js';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const names = new Set(Object.keys(scripts));
/**
 * Programs and manifests. Tests may name commands that do not exist; `references.test.ts` checks the pages.
 */
const PROGRAM =
  /^(?!.*\.test\.)(?:apps|packages|docker|docs\/examples|test-e2e)\/.*\.(?:tsx?|mjs|ya?ml|sh|template)$/;

describe('the commands that texts of programs name', () => {
  const files = listFiles(ROOT).filter((file) => PROGRAM.test(file));

  it('exist', () => {
    expect(files.length).toBeGreaterThan(1_000);
    const unknown = files.flatMap((file) =>
      findUnknownCommands(readFileSync(join(ROOT, file), 'utf8'), names).map(
        (command) => `${file}: ${command}`,
      ),
    );
    expect(unknown).toEqual([]);
  });

  it.each([
    ['a script that npm does not have', 'let `npm run doctor` examine it'],
    ['a command that the command line does not have', 'npm run forecourt -- examine'],
    ['a verification that does not exist', 'npm run verify -- everything'],
    ['a command of the package that does not exist', 'npx forecourt begin'],
    ['a command in quotes that does not exist', '`forecourt begin`'],
  ])('are found where they do not exist: %s', (_what, text) => {
    expect(findUnknownCommands(text, names)).toHaveLength(1);
  });

  it.each([
    'npm run forecourt -- doctor --url x',
    'npx forecourt init',
    '`forecourt undrain`',
    'npm run verify -- alerts',
  ])('are accepted where they exist: %s', (text) => {
    expect(findUnknownCommands(text, names)).toEqual([]);
  });
});
