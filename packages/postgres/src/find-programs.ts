import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findEmbeddedPrograms } from './embedded-programs.js';
import { programPath } from './postgres-path-config.js';

/** The oldest release that history supports. */
const OLDEST = 15;
/** Where packages of Linux distributions put the programs, in a folder for each release. */
const INSTALLED = ['/usr/lib/postgresql', '/usr/lib64/postgresql', '/usr/local/lib/postgresql'];

/** A folder with the programs `initdb` and `postgres`. */
export interface PostgresPrograms {
  readonly folder: string;
  /** Major version. */
  readonly version: number;
}

/**
 * The programs of an installed PostgreSQL among the folders of `path` or where distributions put them,
 * otherwise those of the packages from npm. Throws `Error` if neither exist.
 */
export function findPostgresPrograms(path = programPath()): PostgresPrograms {
  const folders = [...path.split(delimiter).filter(Boolean), ...INSTALLED.flatMap(releasesIn)];
  for (const folder of folders) {
    const version = versionOf(folder);
    if (version !== null && version >= OLDEST) return { folder, version };
  }
  const embedded = findEmbeddedPrograms();
  const version = embedded === null ? null : versionOf(embedded);
  if (embedded !== null && version !== null) return { folder: embedded, version };
  throw new Error(
    `no PostgreSQL of release ${OLDEST} or later was found, and npm has installed none for ${process.platform}-${process.arch}: install one (Debian, Ubuntu: apt-get install postgresql)`,
  );
}

/** The newest first. */
function releasesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const releases = readdirSync(folder).filter((name) => /^\d+$/.test(name));
  return releases.sort((a, b) => Number(b) - Number(a)).map((name) => join(folder, name, 'bin'));
}

/** The major version; null where both programs are not there or do not run. */
function versionOf(folder: string): number | null {
  const [initdb, postgres] = [join(folder, 'initdb'), join(folder, 'postgres')];
  if (!isExecutable(initdb) || !isExecutable(postgres)) return null;
  try {
    const text = execFileSync(postgres, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(/(\d+)/.exec(text)?.[1] ?? Number.NaN) || null;
  } catch {
    return null;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
