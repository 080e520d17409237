import type { ComposeProject } from './compose-project.js';

const SERVICE = 'redis';
export const FOLDER = '/data/appendonlydir';
/** In the volume, to which only Redis may write. */
export const COPY = '/data/backup';

/**
 * Copies Redis's data into the volume as docs/operations/backup.md describes. Throws `Error` if a step fails.
 */
export async function backUpRedis(project: ComposeProject): Promise<void> {
  const { stdout: url } = await project.execute(SERVICE, ['cat', '/run/secrets/operator-url']);
  const { password } = new URL(url.trim());
  // On standard input, because other users see the arguments of a process.
  const ask = async (command: string) => {
    const input = `AUTH operator ${password}\n${command}\n`;
    const { exitCode, stdout, output } = await project.execute(SERVICE, ['redis-cli'], input);
    const [authorized, ...answer] = stdout.split('\n');
    if (exitCode === 0 && authorized === 'OK') return answer.join('\n');
    throw new Error(`${command}: ${output.replaceAll(password, '…')}`);
  };
  await ask('CONFIG SET auto-aof-rewrite-percentage 0');
  try {
    while (!(await ask('INFO persistence')).includes('aof_rewrite_in_progress:0'));
    const { exitCode, output } = await project.execute(SERVICE, ['cp', '-a', FOLDER, COPY]);
    if (exitCode !== 0) throw new Error(`the copy of ${FOLDER} failed: ${output}`);
  } finally {
    await ask('CONFIG SET auto-aof-rewrite-percentage 100');
  }
}
