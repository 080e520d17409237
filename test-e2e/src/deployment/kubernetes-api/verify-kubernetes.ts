import { join } from 'node:path';
import {
  DOCKER,
  type JsonObject,
  type Manifest,
  nameOf,
  parseYaml,
  readYaml,
} from '../manifest.js';
import { readVariant, VARIANTS } from '../variants.js';
import { workloadsOf } from '../workload.js';
import type { ApiClient } from './api-client.js';
import {
  buildServers,
  type BuiltApiServer,
  type KubernetesPrograms,
  MODULES,
} from './build-servers.js';
import { findChartProblems } from './chart-problems.js';
import { readCustomKinds } from './custom-kinds.js';
import { renderChart, writeManifests } from './render-chart.js';
import { startApiServer } from './start-api-server.js';

/** Name → the objects of a variant in a separate namespace, which they contain. */
type Deployments = Readonly<Record<string, (namespace: string) => Manifest[]>>;

/** Values of everything that no variant sets. */
const EVERY_SETTING = join(MODULES, 'every-setting.yaml');

/** Every variant as rendered, and all additions with every setting. */
function deploymentsWith(helm: string): Deployments {
  const rendered = Object.keys(VARIANTS).map(
    (name) => [name, (namespace: string) => moveTo(namespace, readVariant(name))] as const,
  );
  const everySetting = (namespace: string) => {
    const flags = ['--values', EVERY_SETTING];
    const { ok, output, message } = renderChart(helm, 'production-additions', flags);
    if (!ok) throw new Error(message);
    return moveTo(namespace, parseYaml(output, 'helm') as Manifest[]);
  };
  return { ...Object.fromEntries(rendered), 'every setting': everySetting };
}

function moveTo(namespace: string, objects: readonly Manifest[]): Manifest[] {
  const [home] = readYaml(join(DOCKER, 'kubernetes', 'namespace.yaml')) as [Manifest];
  return [
    { ...home, metadata: { ...home.metadata, name: namespace } },
    ...objects.map((one): Manifest => ({ ...one, metadata: { ...one.metadata, namespace } })),
  ];
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
  for (const object of objects) {
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

/**
 * Throws if the namespace admits a pod that Pod Security "restricted" forbids: the absence of refusals would
 * then prove nothing.
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
  const deployments = Object.entries(deploymentsWith(programs.helm));
  let refused = 0;
  try {
    for (const definition of readCustomKinds()) {
      const { status, message } = await client.apply(definition);
      if (status >= 300) throw new Error(`${nameOf(definition)}: ${message}`);
    }
    for (const [index, [name, objectsIn]] of deployments.entries()) {
      const namespace = `variant-${index}`;
      const objects = objectsIn(namespace);
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
  const accepted = `${deployments.length - refused} of ${deployments.length}`;
  process.stdout.write(`${accepted} accepted by Kubernetes ${apiServer.version}\n`);
  return refused;
}

const programs = await buildServers();
writeManifests(programs.helm);
const problems = findChartProblems(programs.helm);
for (const problem of problems) process.stdout.write(`FAILED  ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
for (const apiServer of programs.apiServers) {
  if ((await verify(programs, apiServer)) > 0) process.exitCode = 1;
}
