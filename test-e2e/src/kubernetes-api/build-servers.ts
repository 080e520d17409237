import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATA } from '@forecourt/testing/system';

/** Names the modules, at exact versions with their checksums. */
const MODULE = fileURLToPath(new URL('../../kubernetes-servers/', import.meta.url));
const BIN = join(DATA, 'kubernetes-servers');
const VERSION = 'k8s.io/component-base/version';

/** Programs, as they were built. */
export interface KubernetesPrograms {
  /** Of Kubernetes: `1.37.2` */
  readonly version: string;
  readonly etcd: string;
  readonly apiServer: string;
  readonly kustomize: string;
}

/**
 * Builds what has changed since the last time; the first time takes many minutes of both processor and network. Throws
 * `Error` when a build fails.
 */
export async function buildServers(): Promise<KubernetesPrograms> {
  const modules = readFileSync(join(MODULE, 'go.mod'), 'utf8');
  const version = /^\tk8s\.io\/kubernetes v(\S+)$/m.exec(modules)![1]!;
  const [major, minor] = version.split('.');
  mkdirSync(BIN, { recursive: true });
  const names = [`gitVersion=v${version}`, `gitMajor=${major}`, `gitMinor=${minor}`];
  const flags = ['-s', '-w', ...names.flatMap((name) => ['-X', `${VERSION}.${name}`])];
  const programs = {
    etcd: join(BIN, 'etcd'),
    kustomize: join(BIN, 'kustomize'),
    apiServer: join(BIN, 'kube-apiserver'),
  };
  await build(programs.etcd, 'go.etcd.io/etcd/server/v3');
  await build(programs.kustomize, 'sigs.k8s.io/kustomize/kustomize/v5');
  await build(programs.apiServer, 'k8s.io/kubernetes/cmd/kube-apiserver', flags.join(' '));
  return { version, ...programs };
}

async function build(output: string, program: string, flags = '-s -w'): Promise<void> {
  process.stderr.write(`building ${program} …\n`);
  const args = ['build', '-o', output, '-ldflags', flags, program];
  const child = spawn('go', args, { cwd: MODULE, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`go build ${program} ended with ${code}`);
}
