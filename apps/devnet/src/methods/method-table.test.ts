import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { METHODS } from './method-table.js';

const page = readFileSync(new URL('../../../../docs/devnet.md', import.meta.url), 'utf8');

describe('the table of methods in docs/devnet.md', () => {
  it('names every method that devnet serves, and no other', () => {
    const [, table] = /\| Topic +\| Methods .*?\n(.*?)\n\n/s.exec(page)!;
    const documented = [...table!.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!);
    expect(documented.sort()).toEqual(METHODS.map(({ name }) => name).sort());
  });
});

describe('the conformance table in docs/devnet.md', () => {
  it('has one row for every method that devnet serves, and for no other', () => {
    const [, table] = /\| Method +\| Source .*?\n(.*?)\n\n/s.exec(page)!;
    const methods = table!
      .split('\n')
      .flatMap((row) => row.split('|')[1]!.match(/[\w.]+_?\w+/g) ?? []);
    expect(methods.sort()).toEqual(METHODS.map(({ name }) => name).sort());
  });
});
