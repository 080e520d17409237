import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DIST, listFirstView, sizeOf } from './first-view.js';

const MOST_BYTES = 200_000;

const page = readFileSync(join(DIST, 'index.html'), 'utf8');

describe('the build of the console', () => {
  it('has a first view of less than 200 kB, compressed', () => {
    const files = listFirstView();
    const bytes = sizeOf(files);
    process.stdout.write(`The first view has ${files.size} files, ${bytes} bytes compressed\n`);
    expect(files.size).toBeGreaterThan(5);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  it('has a page without inline scripts and styles, which loads nothing from elsewhere', () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    const scripts = [...page.matchAll(/<script\b([^>]*)>([^<]*)/g)];
    expect(scripts.map(([, , text]) => text)).toEqual(scripts.map(() => ''));
    for (const [, address] of page.matchAll(/(?:src|href)="([^"]*)"/g)) {
      expect(address).toMatch(/^\.\//);
    }
  });

  it('names all files that browsers may keep by a hash of their content', () => {
    for (const file of readdirSync(join(DIST, 'assets'))) {
      expect(file).toMatch(/-[\w-]{8}\.(js|css|woff2)$/);
    }
  });
});
