import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const PROGRAMS = ['redis-server', 'valkey-server'];

/** The full path of a Redis-compatible server program among the folders of `path`, or null. */
export function findRedisServer(path: string): string | null {
  const candidates = PROGRAMS.flatMap((program) =>
    path.split(delimiter).map((folder) => join(folder, program)),
  );
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
