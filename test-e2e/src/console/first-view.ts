import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '@forecourt/testing/system';
import type { Browser } from 'playwright-core';
import { ConsoleVisit } from './console-visit.js';

/** The build of the console. */
export const DIST = join(ROOT, 'apps', 'console', 'dist');

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/** The files that the first page needs. */
export function listFirstView(): ReadonlySet<string> {
  const manifest = JSON.parse(
    readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8'),
  ) as Manifest;
  const found = new Set(['index.html', 'choose-theme.js']);
  addFiles(manifest, 'index.html', found);
  addFiles(manifest, 'src/pages/overview/overview-page.tsx', found);
  return found;
}

/** The size of these files, compressed, in bytes. */
export function sizeOf(files: ReadonlySet<string>): number {
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(DIST, file))).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Adds the files that a chunk needs, its own included. */
function addFiles(manifest: Manifest, name: string, found: Set<string>): void {
  const { file, css = [], imports = [] } = manifest[name]!;
  if (found.has(file)) return;
  for (const one of [file, ...css]) found.add(one);
  for (const one of imports) addFiles(manifest, one, found);
}

/** The time that a visitor without anything in the browser's cache waits, in ms. */
export interface FirstViewTimes {
  /** From the start of navigation until the token can be typed. */
  readonly signIn: number;
  /** From the click on `Sign in` until the overview can be used. */
  readonly overview: number;
}

export async function timeFirstView(
  browser: Browser,
  url: string,
  token: string,
): Promise<FirstViewTimes> {
  const visit = await ConsoleVisit.open(browser, url);
  const { page } = visit;
  const now = () => page.evaluate<number>('performance.now()');
  await page.getByLabel('Token').fill(token);
  const signIn = await now();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  const overview = (await now()) - signIn;
  await visit.close();
  return { signIn: Math.round(signIn), overview: Math.round(overview) };
}
