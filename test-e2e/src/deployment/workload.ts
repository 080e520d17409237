import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { type Manifest, nameOf } from './manifest.js';

/** The pod of a Deployment or a StatefulSet. */
export interface Workload {
  readonly name: string;
  readonly object: Manifest;
  readonly selector: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod: IPodSpec;
  readonly container: IContainer;
}

/** A file with the value of a Secret's key. */
export interface SecretFile {
  readonly secret: string;
  readonly key: string;
}

/** The pod's name, for variables that refer to it. */
const POD = 'pod-of-a-test';

interface WorkloadSpec {
  selector: { matchLabels: Record<string, string> };
  template: { metadata: { labels: Record<string, string> }; spec: IPodSpec };
}

export function workloadsOf(objects: readonly Manifest[]): Workload[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .map((object) => {
      const { selector, template } = object['spec'] as unknown as WorkloadSpec;
      const [container, ...more] = template.spec.containers;
      if (more.length > 0) throw new Error(`${nameOf(object)} has several containers`);
      return {
        name: object.metadata.name,
        object,
        selector: selector.matchLabels,
        labels: template.metadata.labels,
        pod: template.spec,
        container: container!,
      };
    });
}

/**
 * The variables that a container sees, without those that exist only as references for others. Throws naming
 * a missing ConfigMap.
 */
export function environmentOf(
  { container }: Workload,
  objects: readonly Manifest[],
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom ?? []) {
    const wanted = `ConfigMap/${configMapRef?.name}`;
    const found = objects.find((one) => nameOf(one) === wanted);
    if (!found) throw new Error(`${wanted} does not exist`);
    Object.assign(environment, found['data']);
  }
  const ofPod = new Map<string, string>();
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (value === undefined) {
      const { fieldPath } = valueFrom?.fieldRef ?? {};
      if (fieldPath !== 'metadata.name') throw new Error(`${name} has no value`);
      ofPod.set(name, POD);
      continue;
    }
    environment[name] = value.replace(/\$\((\w+)\)/g, (_, other: string) => {
      const found = ofPod.get(other);
      if (found === undefined) throw new Error(`${name} refers to ${other}, which does not exist`);
      return found;
    });
  }
  return environment;
}

/**
 * Path in the container → the key of the Secret that is mounted there. Of a Secret that is mounted with all
 * its keys, only those that variables name.
 */
export function secretFilesOf({ pod, container }: Workload): Map<string, SecretFile> {
  const files = new Map<string, SecretFile>();
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const secret = pod.volumes?.find((volume) => volume.name === name)?.secret;
    if (!secret) continue;
    const named = (container.env ?? [])
      .filter(({ value }) => value !== undefined && dirname(value) === mountPath)
      .map(({ value }) => ({ key: basename(value!), path: basename(value!) }));
    for (const { key, path } of secret.items ?? named) {
      files.set(`${mountPath}/${path}`, { secret: secret.secretName!, key });
    }
  }
  return files;
}

/** Whether the container may write to a path: it is in a volume that is mounted as writable. */
function isWritable({ container }: Workload, path: string): boolean {
  const mounts = container.volumeMounts ?? [];
  return mounts.some(({ mountPath, readOnly }) => dirname(path) === mountPath && !readOnly);
}

/**
 * The environment of a container, with Secrets as files in a folder of this machine. Throws naming a variable
 * whose path is neither a file of a Secret nor writable for the container.
 */
export function withSecretsIn(
  folder: string,
  workload: Workload,
  objects: readonly Manifest[],
  valueOf: (file: SecretFile) => string,
): Record<string, string> {
  const files = secretFilesOf(workload);
  const environment = environmentOf(workload, objects);
  for (const [name, path] of Object.entries(environment)) {
    if (!name.endsWith('_FILE')) continue;
    if (isWritable(workload, path)) continue;
    const file = files.get(path);
    if (!file)
      throw new Error(`${workload.name}: ${name} names ${path}, but no Secret is mounted there`);
    mkdirSync(join(folder, file.secret), { recursive: true });
    environment[name] = join(folder, file.secret, file.key);
    writeFileSync(environment[name], `${valueOf(file)}\n`);
  }
  return environment;
}
