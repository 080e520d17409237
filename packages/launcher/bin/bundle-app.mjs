#!/usr/bin/env node
/**
 * Run in the folder of an app that TypeScript has compiled: joins `dist/main.js` and all modules that it imports into
 * `dist/bundle/main.js` (our own) and a file beside it (other packages), because a service that reads two files instead of 1 400
 * starts in half of the processor time.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';

const OUT = resolve('dist', 'bundle');
const PACKAGES = 'packages';
const OTHER_PACKAGE = /[\\/]node_modules[\\/]/;
/** What a CommonJS module would find; the banner of each file defines it. */
const BUNDLE_FOLDER = '__dirname';

/** Packages that others look for and do without, such as the transports of Nest that are not installed. */
const optionalPackages = {
  name: 'optional packages',
  resolveId: {
    filter: { id: /^[^./\0]/ },
    async handler(name, importer, options) {
      const found = await this.resolve(name, importer, { ...options, skipSelf: true });
      return found ?? { id: name, external: true };
    },
  },
};

/** A module that reads files beside it still finds them where they are. */
const placesOfModules = {
  name: 'places of modules',
  load: {
    filter: { id: /\.[cm]?js$/ },
    async handler(path) {
      const file = JSON.stringify(relative(OUT, path).split(sep).join('/'));
      const folder = JSON.stringify(relative(OUT, dirname(path)).split(sep).join('/'));
      const placed = (from) => `require('node:path').join(${BUNDLE_FOLDER}, ${from})`;
      const code = (await readFile(path, 'utf8'))
        .replace(/\bimport\.meta\.url\b/g, `new URL(${file}, import.meta.url).href`)
        .replace(/\b__(filename|dirname)\b/g, (name) =>
          placed(name === '__filename' ? file : folder),
        );
      return { code, map: await sourceMapOf(path) };
    },
  },
};

/** Leads from compiled code to the TypeScript it was made of. */
async function sourceMapOf(path) {
  if (OTHER_PACKAGE.test(path)) return { mappings: '' };
  const map = `${path}.map`;
  return existsSync(map) ? JSON.parse(await readFile(map, 'utf8')) : null;
}

rmSync(OUT, { recursive: true, force: true });
const bundle = await rolldown({
  input: join('dist', 'main.js'),
  platform: 'node',
  plugins: [optionalPackages, placesOfModules],
});
const { output } = await bundle.write({
  dir: OUT,
  format: 'esm',
  sourcemap: true,
  banner: `const ${BUNDLE_FOLDER} = import.meta.dirname;`,
  codeSplitting: { groups: [{ name: PACKAGES, test: OTHER_PACKAGE }] },
});
await bundle.close();

/** Nobody needs the lines of other packages, and to prepare their map takes a tenth of a second at every start. */
const packages = join(OUT, output.find(({ name }) => name === PACKAGES).fileName);
writeFileSync(
  packages,
  readFileSync(packages, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
);
rmSync(`${packages}.map`);
