import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from './progress.mjs';

const OLDEST = [20, 19];

/** The Node that came with the dependencies, or the running one if none is packaged for this platform. Throws `Failure`. */
export function chooseNode(root) {
  const packaged = join(
    root,
    'node_modules',
    '.bin',
    process.platform === 'win32' ? 'node.cmd' : 'node',
  );
  if (existsSync(packaged) && spawnSync(packaged, ['--version']).status === 0) return packaged;
  requireNode();
  return process.execPath;
}

/** Throws `Failure` if the running Node is too old for anything here. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new Failure(
    `Node ${OLDEST.join('.')} or newer is needed; this is ${process.versions.node}`,
  );
}

/** The environment in which the installed programs, and that Node, come first. */
export function toolEnvironment(root) {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  return { ...process.env, PATH: path };
}
