import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', '.data', '.git', '.turbo']);

/** Paths of all files below `root` whose name ends with one of `endings`, relative to it. */
export function listFiles(root, endings, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listFiles(root, endings, path);
    return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : [];
  });
}
