import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@forecourt/testing/system';

const DIST = join(ROOT, 'apps', 'console', 'dist');
const MOST_BYTES = 200_000;

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}
const manifest = JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;
const page = readFileSync(join(DIST, 'index.html'), 'utf8');

/** The files that a chunk needs, its own included. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const { file, css = [], imports = [] } = manifest[name]!;
  if (found.has(file)) return found;
  for (const one of [file, ...css]) found.add(one);
  for (const one of imports) filesOf(one, found);
  return found;
}

describe('the build of the console', () => {
  it('has a first view of less than 200 kB, compressed', () => {
    const files = new Set([
      'index.html',
      'choose-theme.js',
      ...filesOf('index.html'),
      ...filesOf('src/pages/overview/overview-page.tsx'),
    ]);
    const bytes = [...files].map((file) => gzipSync(readFileSync(join(DIST, file))).length);
    expect(files.size).toBeGreaterThan(5);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  });

  it('has a page without inline scripts and styles, which loads nothing from elsewhere', () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    const scripts = [...page.matchAll(/<script\b([^>]*)>([^<]*)/g)];
    expect(scripts.map(([, , text]) => text)).toEqual(scripts.map(() => ''));
    for (const [, address] of page.matchAll(/(?:src|href)="([^"]*)"/g)) {
      expect(address).toMatch(/^\/console\//);
    }
  });

  it('names all files that browsers may keep by a hash of their content', () => {
    for (const file of readdirSync(join(DIST, 'assets'))) {
      expect(file).toMatch(/-[\w-]{8}\.(js|css|woff2)$/);
    }
  });
});
