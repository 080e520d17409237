import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

it('no dependency runs a script when it is installed, and each that would is listed as denied', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const withScript = Object.keys(packages)
    .filter((folder) => packages[folder]!.hasInstallScript)
    .map((folder) => folder.split('node_modules/').at(-1)!);
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: object };
  expect(allowScripts).toEqual(Object.fromEntries(withScript.map((name) => [name, false])));
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
});
