import { execFileSync } from 'node:child_process';
import { ROOT } from '@forecourt/testing/system';

/** A version of the repository. */
export interface Commit {
  readonly hash: string;
  readonly subject: string;
}

/** The output of git; null if it fails. */
function git(...args: readonly string[]): string | null {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', args, { cwd: ROOT, stdio: [...stdio], encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

function readCommit(name: string): Commit | null {
  const hash = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  return hash === null ? null : { hash, subject: git('log', '-1', '--format=%s', hash) ?? '' };
}

/** The commit that is checked out. Throws `Error` outside of a clone. */
export function currentCommit(): Commit {
  const current = readCommit('HEAD');
  if (!current)
    throw new Error('this folder is not a clone of the repository: git reports no commit');
  return current;
}

/** Whether files differ from the commit that is checked out. */
export function isChanged(): boolean {
  return git('status', '--porcelain', '--untracked-files=no') !== '';
}

/**
 * The named commit; without a name the last one that was landed: the last tag before this commit, otherwise
 * `origin/main` unless that is this commit, otherwise the one before. Throws `Error` if none exists, or if it
 * is this one.
 */
export function chooseCommit(name: string | undefined): Commit {
  const current = currentCommit();
  const chosen = name === undefined ? lastLanded(current) : readCommit(name);
  if (!chosen) throw new Error(`--from names no commit of this repository: ${name ?? 'HEAD^'}`);
  if (chosen.hash === current.hash && !isChanged()) {
    throw new Error(`--from is the version that is checked out: ${chosen.hash}`);
  }
  return chosen;
}

function lastLanded({ hash }: Commit): Commit | null {
  const tag = git('describe', '--tags', '--abbrev=0', 'HEAD^');
  const landed = readCommit(tag ?? 'origin/main');
  return landed && landed.hash !== hash ? landed : readCommit('HEAD^');
}
