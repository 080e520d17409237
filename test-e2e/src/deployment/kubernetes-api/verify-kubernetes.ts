import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, type Manifest, nameOf, parseYaml } from '../manifest.js';
import { type Variant, VARIANTS, writeVariant } from '../variants.js';
import { workloadsOf } from '../workload.js';
import type { ApiClient } from './api-client.js';
import { buildServers, type BuiltApiServer, type KubernetesPrograms } from './build-servers.js';
import { readCustomKinds } from './custom-kinds.js';
import { startApiServer } from './start-api-server.js';

/** `VARIANTS`, and the replacement for KEDA. */
const DEPLOYED: Readonly<Record<string, Omit<Variant, 'apps'>>> = {
  ...VARIANTS,
  'base with executors by metric': { overlay: 'base', components: ['scale-executors-by-metric'] },
};

/** Resolves a variant with kustomize itself, in a separate namespace. */
function resolve(
  { kustomize }: KubernetesPrograms,
  variant: Omit<Variant, 'apps'>,
  namespace: string,
): Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-variant-'));
  try {
    writeVariant(folder, variant);
    const args = ['build', '--load-restrictor=LoadRestrictionsNone', folder];
    const text = execFileSync(kustomize, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
    return (parseYaml(text, 'kustomize') as Manifest[]).map((one): Manifest => {
      const { kind, metadata } = one;
      if (kind === 'Namespace') return { ...one, metadata: { ...metadata, name: namespace } };
      return { ...one, metadata: { ...metadata, namespace } };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The pods that the workloads would create, because Pod Security refuses pods and not workloads. */
function podsOf(objects: readonly Manifest[], namespace: string): Manifest[] {
  return workloadsOf(objects).map(({ name, labels, pod, object }) => {
    const { volumeClaimTemplates = [] } = object['spec'] as {
      volumeClaimTemplates?: { metadata: { name: string } }[];
    };
    const claimed = volumeClaimTemplates.map(({ metadata }) => ({
      name: metadata.name,
      persistentVolumeClaim: { claimName: `${metadata.name}-${name}-0` },
    }));
    const spec: unknown = { ...pod, volumes: [...(pod.volumes ?? []), ...claimed] };
    const metadata = { name, namespace, labels: { ...labels } };
    return { apiVersion: 'v1', kind: 'Pod', metadata, spec: spec as JsonObject };
  });
}

/** Problems that the API server finds in the objects of a variant; empty if none. */
async function findProblems(
  client: ApiClient,
  objects: readonly Manifest[],
  namespace: string,
): Promise<string[]> {
  const problems: string[] = [];
  const inOrder = objects.toSorted((a, b) => orderOf(a) - orderOf(b));
  for (const object of inOrder) {
    const { status, message, warnings } = await client.apply(object);
    if (status >= 300) problems.push(`${nameOf(object)}: ${message}`);
    problems.push(...warnings.map((warning) => `${nameOf(object)}: ${warning}`));
  }
  for (const pod of podsOf(objects, namespace)) {
    const { status, message } = await client.tryCreate(pod);
    if (status !== 201) problems.push(`${nameOf(pod)}: ${message}`);
  }
  return problems;
}

const orderOf = ({ kind }: Manifest) => (kind === 'Namespace' ? 0 : 1);

/**
 * Throws if the namespace admits a pod that Pod Security "restricted" forbids: the absence of refusals would then prove
 * nothing.
 */
async function requireRestricted(client: ApiClient, namespace: string): Promise<void> {
  const pod: Manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'unrestricted', namespace },
    spec: { containers: [{ name: 'any', image: 'any' }] },
  };
  const { status, message } = await client.tryCreate(pod);
  if (status !== 403 || !message.includes('violates PodSecurity "restricted')) {
    throw new Error(
      `a pod that may run as root was not refused, but answered ${status}: ${message}`,
    );
  }
}

/** Applies every variant to one release; returns the number of rejected variants. */
async function verify(programs: KubernetesPrograms, apiServer: BuiltApiServer): Promise<number> {
  process.stderr.write(`starting etcd and kube-apiserver ${apiServer.version} …\n`);
  const { client, stop } = await startApiServer(programs.etcd, apiServer);
  let refused = 0;
  try {
    for (const definition of readCustomKinds()) {
      const { status, message } = await client.apply(definition);
      if (status >= 300) throw new Error(`${nameOf(definition)}: ${message}`);
    }
    for (const [index, [name, variant]] of Object.entries(DEPLOYED).entries()) {
      const namespace = `variant-${index}`;
      const objects = resolve(programs, variant, namespace);
      const problems = await findProblems(client, objects, namespace);
      await requireRestricted(client, namespace);
      if (problems.length > 0) refused += 1;
      const verdict = problems.length === 0 ? 'ok    ' : 'FAILED';
      process.stdout.write(`${verdict}  ${name}: ${objects.length} objects\n`);
      for (const problem of problems) process.stdout.write(`        ${problem}\n`);
    }
  } finally {
    await stop();
  }
  const count = Object.keys(DEPLOYED).length;
  const accepted = `${count - refused} of ${count}`;
  process.stdout.write(`${accepted} accepted by Kubernetes ${apiServer.version}\n`);
  return refused;
}

const programs = await buildServers();
for (const apiServer of programs.apiServers) {
  if ((await verify(programs, apiServer)) > 0) process.exitCode = 1;
}
