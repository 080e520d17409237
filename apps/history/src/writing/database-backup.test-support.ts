import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, databaseUrl } from '@forecourt/postgres';
import { ROOT } from '@forecourt/testing/system';

/** The state of a database at one moment. */
export interface DatabaseBackup {
  /** Restores it into a new database, and returns its URL. */
  restore(name: string): Promise<string>;
  remove(): void;
}

const PAGE = join(ROOT, 'docs/operations/backup.md');

/**
 * Backs a database up. `adminUrl`: of another database of its server. Runs the commands of the page about
 * backups; an embedded PostgreSQL comes without the programs, and copies the database itself, to which no
 * client may be connected then.
 */
export async function backUpDatabase(url: string, adminUrl: string): Promise<DatabaseBackup> {
  const isInstalled = ['psql', 'pg_dump', 'pg_restore'].every(
    (program) => spawnSync(program, ['--version']).status === 0,
  );
  return isInstalled ? dump(url, adminUrl) : copy(url, adminUrl);
}

/** The blocks of commands of the page. */
function readCommands(): string[] {
  const blocks = readFileSync(PAGE, 'utf8').matchAll(/```bash\n([\s\S]*?)```/g);
  return [...blocks].map(([, commands]) => commands!);
}

function dump(url: string, adminUrl: string): DatabaseBackup {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-backup-'));
  const [backUp, restore, ...more] = readCommands();
  if (more.length > 0) throw new Error(`${PAGE} has more commands than those of history`);
  const run = (commands: string, variables: Record<string, string>) =>
    execFileSync('bash', ['-euc', commands], {
      cwd: folder,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  run(backUp!, { DATABASE_URL: url });
  return {
    async restore(name) {
      const restored = databaseUrl(adminUrl, name);
      const commands = restore!.replaceAll('restored', name);
      run(commands, { ADMIN_URL: adminUrl, RESTORED_URL: restored });
      return restored;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function copy(url: string, adminUrl: string): Promise<DatabaseBackup> {
  const copied = new URL(url).pathname.slice(1);
  const kept = `${copied}_backup`;
  await createDatabase(adminUrl, kept, copied);
  return {
    async restore(name) {
      await createDatabase(adminUrl, name, kept);
      return databaseUrl(adminUrl, name);
    },
    remove: () => undefined,
  };
}
