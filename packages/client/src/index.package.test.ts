import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';

const FOLDER = join(import.meta.dirname, '..');
const LIMIT_BYTES = 17 * 1024;

/** A minified program for browsers with its imports; imports of packages stay. */
async function bundle(program: string): Promise<{ text: string; imports: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    packages: 'external',
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  return { text: outputFiles[0]!.text, imports: output!.imports.map(({ path }) => path) };
}

describe('the package in a bundle', () => {
  it('has less than 17 KB and imports nothing', async () => {
    const { text, imports } = await bundle("export * from './index.ts';");
    expect(Buffer.byteLength(text)).toBeLessThan(LIMIT_BYTES);
    expect(Buffer.byteLength(text)).toBeGreaterThan(5_000);
    expect(imports).toEqual([]);
  });

  it('leaves out the parts that a program does not import', async () => {
    const events = await bundle("export { LedgerEvents } from './index.ts';");
    expect(events.text).toContain('ledger_subscribeEvent');
    expect(events.text).not.toMatch(/execute_tx|GasStation/);
    const station = await bundle("export { GasStation } from './index.ts';");
    expect(station.text).toContain('execute_tx');
    expect(station.text).not.toMatch(/ledger_subscribeEvent|LedgerEvents/);
  });
});

describe('the package for npm', () => {
  it('contains all required files, and imports nothing of this repository', async () => {
    const { stdout } = await promisify(execFile)(
      'npm',
      ['pack', '--dry-run', '--json', '--ignore-scripts'],
      { cwd: FOLDER },
    );
    const [{ files }] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'package.json', 'src/index.ts']));
    expect(paths.filter((path) => /\.(test|test-support)\./.test(path))).toEqual([]);
    for (const path of paths.filter((one) => /\.[jt]s$/.test(one))) {
      const text = readFileSync(join(FOLDER, path), 'utf8');
      const imported = [...text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)];
      const ofPackages = imported.map(([, name]) => name!).filter((name) => !name.startsWith('.'));
      expect([path, ofPackages]).toEqual([path, []]);
    }
  });

  it('depends on nothing', () => {
    const manifest = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as Record<
      string,
      Record<string, unknown>
    >;
    expect(manifest['dependencies']).toBeUndefined();
    expect(Object.keys(manifest['peerDependencies']!)).toEqual(['@iota/iota-sdk']);
    expect(manifest['peerDependenciesMeta']).toEqual({ '@iota/iota-sdk': { optional: true } });
    expect(manifest['private']).toBeUndefined();
  });
});
