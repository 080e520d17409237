import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const MODULE = 'github.com/hashicorp/vault';
const VERSION = 'v1.21.4';
/** The latest release that the version builds with, after these edits: it was made with unreleased code. */
const SDK = 'v0.21.0';
const EDITS = [
  {
    file: 'vault/identity_store_util.go',
    text: 'activateDeduplication(ctx context.Context, req *logical.Request) error',
    replacement: 'activateDeduplication(ctx context.Context, req *logical.Request, _ string) error',
  },
  {
    file: 'vault/logical_system_activation_flags.go',
    text: 'ActivationFunc(ctx, nil)',
    replacement: 'ActivationFunc(ctx, nil, "")',
  },
  {
    file: 'builtin/logical/transit/path_restore.go',
    text: 'restoredKeyName, err := b.lm.',
    replacement: 'restoredKeyName, err := keyName, b.lm.',
  },
];

/**
 * Builds Vault from the Go module proxy, without its plugins, and returns the program. The transit engine and
 * the logins are those of the release. Throws `Error` when a step fails.
 */
export function buildVault(folder: string, say: (line: string) => void): string {
  mkdirSync(folder, { recursive: true });
  const source = join(folder, 'source');
  const go = (cwd: string, ...args: readonly string[]) => {
    say(`go ${args.join(' ')}`);
    const env = { ...process.env, GOFLAGS: '-mod=mod' };
    return execFileSync('go', args, {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };
  const { Dir } = JSON.parse(go(folder, 'mod', 'download', '-json', `${MODULE}@${VERSION}`)) as {
    readonly Dir: string;
  };
  rmSync(source, { recursive: true, force: true });
  cpSync(Dir, source, { recursive: true });
  makeWritable(source);
  for (const { file, text, replacement } of EDITS) {
    const before = readFileSync(join(source, file), 'utf8');
    if (before.split(text).length !== 2) throw new Error(`${file} does not contain ${text} once`);
    writeFileSync(join(source, file), before.replace(text, replacement));
  }
  // They name folders that the module does not have.
  for (const name of [
    'sdk',
    'api',
    'api/auth/approle',
    'api/auth/kubernetes',
    'api/auth/userpass',
  ]) {
    go(source, 'mod', 'edit', `-dropreplace=${MODULE}/${name}`);
  }
  go(source, 'mod', 'edit', `-require=${MODULE}/sdk@${SDK}`);
  const program = join(folder, 'vault');
  go(source, 'build', '-tags', 'minimal', '-ldflags', '-s -w', '-o', program, '.');
  return program;
}

/** Files of the module cache are read-only. */
function makeWritable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeWritable(path);
    else chmodSync(path, 0o644);
  }
}
