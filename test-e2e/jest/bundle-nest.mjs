import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { build } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '../..');
const ENTRIES = [
  'bullmq',
  'common',
  'core',
  'microservices',
  'microservices/constants',
  'platform-fastify',
  'platform-fastify/constants',
  'swagger',
  'terminus',
  'testing',
];
const isNest = (id) => isAbsolute(id) || /^(\.|@nestjs\/)/.test(id);

/**
 * Joins Nest into a few modules, as the bundles of the services do, and returns their folder: Jest loads
 * every module anew for each file of tests, and Nest has 1 500. A new import of Nest must be added to the
 * entries, because two copies of Nest do not know each other's classes.
 */
export async function bundleNest() {
  const versions = readFileSync(join(ROOT, 'package-lock.json'));
  const hash = createHash('sha256').update(versions).update(ENTRIES.join()).digest('hex');
  const parent = join(ROOT, '.data', 'nest');
  const folder = join(parent, hash.slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(parent, { recursive: true });
  const unfinished = mkdtempSync(join(parent, 'unfinished-'));
  await build({
    cwd: ROOT,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, `@nestjs/${entry}`])),
    platform: 'node',
    external: (id) => !isNest(id),
    logLevel: 'silent',
    output: { dir: unfinished, format: 'esm' },
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}
