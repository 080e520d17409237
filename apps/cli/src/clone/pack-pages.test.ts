import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packPages } from './pack-pages.js';

const folder = new TemporaryFolder();
let pages: string[];
beforeAll(() => {
  packPages(folder.path);
  const all = readdirSync(folder.path, { recursive: true }) as string[];
  pages = all.filter((path) => path.endsWith('.md'));
});
afterAll(() => folder.remove());

const read = (page: string) => readFileSync(folder.pathOf(page), 'utf8');

describe('the pages of the package', () => {
  it('have links that lead to one of them', () => {
    let links = 0;
    for (const page of pages) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)]+)\)/g)) {
        if (/^(?:[a-z]+:|#)/.test(target)) continue;
        links += 1;
        const file = join(dirname(folder.pathOf(page)), target.split(/[# ]/)[0]!);
        expect([page, target, existsSync(file)]).toEqual([page, target, true]);
      }
    }
    expect(links).toBeGreaterThan(100);
  });

  it('are those that the README and a new configuration name', () => {
    for (const page of ['configuration', 'access-control', 'http-api', 'operations/deployment']) {
      expect(pages).toContain(`docs/${page}.md`);
    }
  });

  it('keep the text of a link to what stays in the repository, and no picture', () => {
    expect(read('README.md')).toContain('CONTRIBUTING');
    expect(read('README.md')).not.toMatch(/!\[|CONTRIBUTING\.md\)/);
  });
});
