import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATA } from '@forecourt/testing/system';

/**
 * A module per supported release names the programs at exact versions with checksums; others, Helm and the
 * custom kinds.
 */
export const MODULES = fileURLToPath(new URL('../../../kubernetes-servers/', import.meta.url));
const BIN = join(DATA, 'kubernetes-servers');
const VERSION = 'k8s.io/component-base/version';

/** The oldest and the newest supported release, and Helm. */
type Module = 'oldest' | 'newest' | 'helm';

/** A compiled kube-apiserver. */
export interface BuiltApiServer {
  /** The version of Kubernetes: `1.37.2` */
  readonly version: string;
  readonly program: string;
}

/** The compiled programs. */
export interface KubernetesPrograms {
  readonly etcd: string;
  readonly helm: string;
  readonly apiServers: readonly BuiltApiServer[];
}

/**
 * Builds the programs that changed since the last run; the first build takes many minutes of processor and
 * network time. Throws `Error` if a build fails.
 */
export async function buildServers(): Promise<KubernetesPrograms> {
  const helm = await buildHelm();
  const etcd = join(BIN, 'etcd');
  await build('newest', etcd, 'go.etcd.io/etcd/server/v3');
  const apiServers = [await buildApiServer('oldest'), await buildApiServer('newest')];
  return { etcd, helm, apiServers };
}

/** Builds Helm; the first build takes minutes. Throws `Error` if the build fails. */
export async function buildHelm(): Promise<string> {
  mkdirSync(BIN, { recursive: true });
  const helm = join(BIN, 'helm');
  await build('helm', helm, 'helm.sh/helm/v3/cmd/helm');
  return helm;
}

async function buildApiServer(release: Module): Promise<BuiltApiServer> {
  const modules = readFileSync(join(MODULES, release, 'go.mod'), 'utf8');
  const version = /^\tk8s\.io\/kubernetes v(\S+)/m.exec(modules)![1]!;
  const [major, minor] = version.split('.');
  const names = [`gitVersion=v${version}`, `gitMajor=${major}`, `gitMinor=${minor}`];
  const flags = ['-s', '-w', ...names.flatMap((name) => ['-X', `${VERSION}.${name}`])];
  const program = join(BIN, `kube-apiserver-${version}`);
  await build(release, program, 'k8s.io/kubernetes/cmd/kube-apiserver', flags.join(' '));
  return { version, program };
}

async function build(
  module: Module,
  output: string,
  program: string,
  flags = '-s -w',
): Promise<void> {
  process.stderr.write(`building ${program}, ${module} …\n`);
  const args = ['build', '-o', output, '-ldflags', flags, program];
  const cwd = join(MODULES, module);
  const child = spawn('go', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`go build ${program} ended with ${code}`);
}
