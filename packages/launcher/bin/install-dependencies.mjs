import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, say } from './progress.mjs';
import { runProgram } from './run-program.mjs';

/** Installs what the lockfile names, unless this lockfile is installed already. Throws `Failure`. */
export async function installDependencies(root) {
  const lock = join(root, 'package-lock.json');
  const stamp = join(root, 'node_modules', '.installed-lockfile');
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  if (!existsSync(stamp) && isInstalledByHand(root, lock)) {
    writeFileSync(stamp, wanted);
    return;
  }
  say('installing dependencies (npm ci) …');
  const [program, ...first] = npmCommand();
  const flags = [
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { code, interrupted } = await runProgram(program, [...first, 'ci', ...flags], {
    cwd: root,
  });
  if (interrupted) process.exit(code);
  if (code !== 0) throw new Failure(`npm ci ended with ${code}; its messages are above`);
  writeFileSync(stamp, wanted);
  say('dependencies are installed');
}

/** Whether someone ran npm after the lockfile was last written: npm writes this file when it is done. */
function isInstalledByHand(root, lock) {
  const written = join(root, 'node_modules', '.package-lock.json');
  return existsSync(written) && statSync(written).mtimeMs >= statSync(lock).mtimeMs;
}

function npmCommand() {
  const script = process.env.npm_execpath;
  return script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
}
