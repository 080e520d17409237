import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COMMIT_DIGITS = 12;

/** `<semver>-<12 hex digits of the build's commit>`; zeros when neither the build nor git provides the commit. */
export function readVersion(buildCommit: string | null): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  const commit = (buildCommit ?? askGit()).toLowerCase().replace(/[^0-9a-f]/g, '');
  return `${version}-${commit.slice(0, COMMIT_DIGITS).padEnd(COMMIT_DIGITS, '0')}`;
}

function askGit(): string {
  try {
    const cwd = new URL('.', import.meta.url);
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd, stdio: [...stdio], encoding: 'utf8' });
  } catch {
    return '';
  }
}
