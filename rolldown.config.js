import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { defineConfig, RolldownMagicString } from 'rolldown';
import { minifySync, Visitor } from 'rolldown/utils';

const OUT = resolve('dist', 'bundle');
const PACKAGES = 'packages';
const isPackage = (id) => id.split(sep).includes('node_modules');

/** Node keeps a module's text with one byte for each character only if all are ASCII, otherwise with two. */
const writeInAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Without comments and spaces: Node keeps the text in memory. Names stay, for stack traces. */
function shorten(code) {
  return minifySync(PACKAGES, code, { module: true, compress: false, mangle: false }).code;
}

/** Leaves out packages that others use only if they are installed, such as the transports of Nest. */
const optionalPackages = {
  name: 'optional-packages',
  resolveId: {
    filter: { id: /^[^./\0]/ },
    async handler(name, importer, options) {
      const found = await this.resolve(name, importer, { ...options, skipSelf: true });
      return found ?? { id: name, external: true };
    },
  },
};

/**
 * Parts of packages that are loaded at every start, and that no program of ours uses. The caller of pino serves its transports:
 * it makes Node decode the source map of the program, and keep 27 MB of it.
 */
const UNUSED_PARTS = [
  /[\\/]node_modules[\\/]pino[\\/]lib[\\/]caller\.js$/,
  /[\\/]node_modules[\\/]bullmq[\\/].*[\\/]postgres[\\/]/,
  /[\\/]node_modules[\\/]libphonenumber-js[\\/]/,
];
const withoutUnusedParts = {
  name: 'without-unused-parts',
  load: { filter: { id: UNUSED_PARTS }, handler: () => 'module.exports = function unused() {};' },
};

/**
 * Lets stack traces name the TypeScript from which our own modules were compiled. Other packages get no map: reading it takes a
 * tenth of a second at every start.
 */
const sourceMapsOfOwn = {
  name: 'source-maps-of-own',
  load: {
    filter: { id: /\.[cm]?js$/ },
    async handler(id) {
      const code = await readFile(id, 'utf8');
      if (isPackage(id)) return { code, map: { mappings: '' } };
      const map = `${id}.map`;
      return { code, map: existsSync(map) ? JSON.parse(await readFile(map, 'utf8')) : null };
    },
  },
};

/** The same, and none for the file of other packages. */
const sourceMaps = {
  ...sourceMapsOfOwn,
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    const packages = chunks.find(({ name }) => name === PACKAGES);
    if (packages !== undefined) {
      packages.code = shorten(packages.code.replace(/\/\/# sourceMappingURL=.*\s*$/, ''));
      delete bundle[packages.sourcemapFileName];
    }
    // Each line keeps its number, so the source maps still fit.
    for (const chunk of chunks) chunk.code = writeInAscii(chunk.code);
  },
};

/** Commands that only a clone has stay beside the bundle, and so out of the package. */
const commandsOfClone = {
  name: 'commands-of-clone',
  resolveId: {
    filter: { id: /^\.\/clone\/index\.js$/ },
    handler: () => ({ id: '../clone/index.js', external: 'absolute' }),
  },
};

/** The modules that a program loads when it starts, because it imports them statically. */
const loadedAtStart = new Set();
const startModules = {
  name: 'start-modules',
  buildEnd() {
    const waiting = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id).isEntry);
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (loadedAtStart.has(id)) continue;
      loadedAtStart.add(id);
      waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
    }
  },
};

const LICENCE = /^(licen[cs]e|notice)/i;

/** Writes `licences.json`: each package in the bundle → the texts under which it may be used. */
const licences = {
  name: 'licences',
  generateBundle(_options, bundle) {
    const texts = new Map();
    for (const id of Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds)) {
      const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(id) ?? [];
      if (folder === undefined || texts.has(folder)) continue;
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      );
      const files = readdirSync(folder).filter((file) => LICENCE.test(file));
      texts.set(folder, {
        name: `${name} ${version}`,
        licence: String(license),
        texts: files.map((file) => readFileSync(join(folder, file), 'utf8')),
      });
    }
    const source = JSON.stringify([...texts.values()]);
    this.emitFile({ type: 'asset', fileName: 'licences.json', source });
  },
};

/** Lets a module read the files beside it: the names of its folder lead there from the bundle in `out`. */
const moduleFolders = (out) => ({
  name: 'module-folders',
  transform: {
    filter: { id: /\.[cm]?js$/, code: /import\.meta\.(url|dirname|filename)|__(dirname|filename)/ },
    handler(code, id) {
      if (!isAbsolute(id)) return null;
      const changed = new RolldownMagicString(code);
      const pathOf = (file) => JSON.stringify(relative(out, file).split(sep).join('/'));
      const places = {
        'import.meta.dirname': `process.getBuiltinModule('node:path').join(import.meta.dirname, ${pathOf(dirname(id))})`,
        __filename: `require('node:path').join(__dirname, ${pathOf(id)})`,
        __dirname: `require('node:path').join(__dirname, ${pathOf(dirname(id))})`,
        'import.meta.url': `new URL(${pathOf(id)}, import.meta.url).href`,
      };
      const place = (node, text) => {
        if (Object.hasOwn(places, text)) changed.overwrite(node.start, node.end, places[text]);
      };
      new Visitor({
        Identifier: (node) => place(node, node.name),
        MemberExpression: (node) => place(node, code.slice(node.start, node.end)),
      }).visit(this.parse(code));
      // Each line keeps its number, so the source map still fits.
      return { code: changed.toString(), map: null };
    },
  },
});

/** The names of programs in bundles → those that are compiled. A workspace has one. */
const PROGRAMS = Object.entries({
  main: 'dist/main.js',
  forecourt: 'dist/forecourt.js',
}).filter(([, file]) => existsSync(file));

const COMMON = {
  format: 'esm',
  sourcemap: true,
  comments: false,
  banner: 'const __dirname = import.meta.dirname;',
};

/**
 * Run in the folder of a workspace after its compilation: joins `dist/main.js` and its imports into `dist/bundle/main.js` and a
 * file of other packages, because a service that reads two files instead of 1 400 starts in half of the processor time.
 */
const programs = defineConfig({
  input: Object.fromEntries(PROGRAMS),
  platform: 'node',
  // Modules of ECMAScript, from which unused parts can be left out, before those of CommonJS.
  resolve: { mainFields: ['module', 'main'] },
  plugins: [
    optionalPackages,
    withoutUnusedParts,
    commandsOfClone,
    sourceMaps,
    startModules,
    licences,
    moduleFolders(OUT),
  ],
  output: {
    ...COMMON,
    dir: OUT,
    cleanDir: true,
    // The clients of clouds' key services, for example, are in files of their own, which are read where such a service is used.
    codeSplitting: {
      groups: [{ name: PACKAGES, test: (id) => isPackage(id) && loadedAtStart.has(id) }],
    },
  },
});

export default programs;
