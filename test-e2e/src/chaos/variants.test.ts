import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { variants } from './variants.js';

const ROOT = new URL('../../../', import.meta.url);
const patches = variants.flatMap(({ what, patches }) =>
  patches.map(({ file, find }) => [what, file, find] as const),
);

describe('the code that a variant changes', () => {
  it.each(patches)('exists for “%s” in %s', (_what, file, find) => {
    expect(readFileSync(new URL(file, ROOT), 'utf8')).toContain(find);
  });
});
