import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { type App, createSponsorKey } from '@forecourt/testing/system';
import { SHUTDOWN_MS } from '@forecourt/runtime/service';
import type { IServiceSpec } from 'kubernetes-models/v1/ServiceSpec';
import { APPS, type Behaviour, unknownVariables } from './app-configurations.js';
import { imageDefaults } from './dockerfile.js';
import { DOCKER, type Manifest, nameOf } from './manifest.js';
import { allowedEdges, OUTSIDE, selects } from './network-edges.js';
import { resolveOverlay } from './resolve-kustomization.js';
import { unknownFields } from './unknown-fields.js';
import { schemaProblems } from './validate-object.js';
import { secretFilesOf, withSecretsIn, type Workload, workloadsOf } from './workload.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

const SAMPLES: Readonly<Record<string, string>> = {
  'forecourt-sponsor/keys': createSponsorKey().secret,
  'forecourt-tokens/tokens': 'a-token',
  'forecourt-fleet/secret': 'a-secret-of-a-fleet-of-32-or-more-characters',
};

/** What a Secret's key holds, in the sample that stands for what an operator makes. */
function secretValue(objects: readonly Manifest[], secret: string, key: string): string {
  if (secret !== 'forecourt-redis') return SAMPLES[`${secret}/${key}`]!;
  const isInside = objects.some((one) => nameOf(one) === 'Service/redis');
  const host = isInside ? 'redis' : '192.0.2.20';
  return `redis://${key.replace('.url', '')}:password@${host}:6379`;
}

const isApp = (name: string): name is App => name in APPS;

function appsOf(objects: readonly Manifest[]) {
  return workloadsOf(objects)
    .filter(({ name }) => isApp(name))
    .map((workload) => {
      const app = workload.name as App;
      const environment = withSecretsIn(folder.path, workload, objects, ({ secret, key }) =>
        secretValue(objects, secret, key),
      );
      const seen = { ...imageDefaults().environment, ...environment };
      return { ...workload, app, environment, behaviour: APPS[app].behave(seen) };
    });
}

describe.each([
  ['local', ['gateway', 'coin-pool', 'executor', 'events', 'devnet']],
  ['production', ['gateway', 'coin-pool', 'executor', 'events']],
])('the overlay %s', (name, expected) => {
  const objects = resolveOverlay(name);
  const workloads = workloadsOf(objects);
  const services = new Map(
    objects
      .filter(({ kind }) => kind === 'Service')
      .map((one) => [one.metadata.name, one['spec'] as unknown as IServiceSpec]),
  );
  const behindService = (service: string): Workload[] =>
    workloads.filter(({ labels }) =>
      selects({ matchLabels: services.get(service)!.selector! }, labels),
    );
  /** Where a call ends: the pod's port, or the outside. */
  const endOf = (call: string): string => {
    const [host, port] = call.split(/:(?=\d+$)/) as [string, string];
    if (!services.has(host)) return `${OUTSIDE}:${port}`;
    const { targetPort } = services.get(host)!.ports!.find((one) => one.port === Number(port))!;
    const [workload] = behindService(host);
    const target = workload!.container.ports!.find((one) => one.name === targetPort)!;
    return `${workload!.name}:${target.containerPort}`;
  };

  it('is made of objects that Kubernetes knows, field by field', () => {
    expect(objects.flatMap(schemaProblems)).toEqual([]);
    expect(unknownFields(objects)).toEqual([]);
  }, 60_000);

  it('runs every app by its own program', () => {
    const programs = appsOf(objects).map(({ app, container }) => [app, container.args]);
    expect(Object.fromEntries(programs)).toEqual(
      Object.fromEntries(expected.map((app) => [app, [`apps/${app}/dist/main.js`]])),
    );
    for (const { container } of appsOf(objects)) expect(container.command).toBeUndefined();
  });

  it('sets only variables that the app reads, to values that it accepts', () => {
    for (const { app, environment } of appsOf(objects)) {
      expect([app, unknownVariables(app, environment)]).toEqual([app, []]);
    }
  });

  it('names the ports the apps listen on, and probes them where they answer', () => {
    for (const { app, container, behaviour } of appsOf(objects)) {
      const ports = new Map(container.ports!.map((one) => [one.name!, one.containerPort]));
      expect([app, [...ports.values()]]).toEqual([app, behaviour.listens]);
      const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
      expect(
        probes.map((probe) => [
          probe?.httpGet?.path,
          ports.get(String(probe?.httpGet?.port)),
          (probe?.timeoutSeconds ?? 1) <= (probe?.periodSeconds ?? 10),
        ]),
      ).toEqual([
        ['/health/live', behaviour.healthPort, true],
        ['/health/live', behaviour.healthPort, true],
        ['/health/ready', behaviour.healthPort, true],
      ]);
    }
  });

  it('refers to nothing that is not there, or that the operator is not told to make', () => {
    const page = readFileSync(join(DOCKER, '../docs/operations/deployment.md'), 'utf8');
    const references = [
      ...workloads.flatMap((workload) => [...secretFilesOf(workload).values()]),
      ...objects
        .filter(({ kind }) => kind === 'TriggerAuthentication')
        .flatMap(
          ({ spec }) => (spec as { secretTargetRef: Record<string, string>[] }).secretTargetRef,
        )
        .map((one) => ({ secret: one['name']!, key: one['key']! })),
    ];
    for (const { secret, key } of references) {
      const here = objects.find((one) => nameOf(one) === `Secret/${secret}`);
      const told = new RegExp(`create secret generic ${secret}\\b[^\`]*--from-\\w+=${key}=`);
      if (here) expect(Object.keys(here['stringData'] as object)).toContain(key);
      else expect(page).toMatch(told);
    }
    for (const { object } of workloads) {
      const { serviceName } = object['spec'] as { serviceName?: string };
      if (serviceName) expect([...services.keys()]).toContain(serviceName);
    }
  });

  it('selects by labels that are there', () => {
    for (const { selector, labels } of workloads) {
      expect(selects({ matchLabels: selector }, labels)).toBe(true);
      expect(
        workloads.filter((one) => selects({ matchLabels: selector }, one.labels)),
      ).toHaveLength(1);
    }
    for (const service of services.keys()) {
      expect(behindService(service).map((workload) => workload.name)).toEqual([service]);
    }
    const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
    const protectedOnes = budgets.map(({ spec }) => {
      const { selector } = spec as { selector: { matchLabels: Record<string, string> } };
      return workloads.filter(({ labels }) => selects(selector, labels)).map((one) => one.name);
    });
    expect(protectedOnes.flat().sort()).toEqual(['coin-pool', 'events', 'executor', 'gateway']);
    for (const { pod, labels } of workloads) {
      for (const { labelSelector } of pod.topologySpreadConstraints ?? []) {
        expect(selects(labelSelector!, labels)).toBe(true);
      }
    }
  });

  it('lets through exactly the calls that the configuration makes', () => {
    const calls = appsOf(objects).flatMap(({ app, behaviour }) =>
      behaviour.calls.map((call) => `${app} -> ${endOf(call)}`),
    );
    const names = appsOf(objects)
      .filter(({ behaviour }: { behaviour: Behaviour }) => behaviour.calls.length > 0)
      .flatMap(({ app }) => [`${app} -> names:53`, `${app} -> names:53/UDP`]);
    const { egress, ingress } = allowedEdges(objects);
    const sorted = (edges: readonly string[]) => [...new Set(edges)].sort();
    expect(egress).toEqual(sorted([...calls, ...names]));
    const inside = calls.filter((call) => !call.includes(`-> ${OUTSIDE}:`));
    expect(ingress).toEqual(sorted([...inside, `${OUTSIDE} -> gateway:9527`]));
  });

  it('gives every service the time it takes to stop', () => {
    for (const { pod, container } of workloads) {
      const waits = (container.lifecycle?.preStop?.sleep?.seconds ?? 0) * 1_000;
      const grace = pod.terminationGracePeriodSeconds! * 1_000;
      expect(grace).toBeGreaterThan(waits + SHUTDOWN_MS);
    }
    for (const service of services.keys()) {
      const [{ container, name: app }] = behindService(service) as [Workload];
      if (app === 'devnet' || app === 'redis') continue;
      expect([app, container.lifecycle?.preStop?.sleep?.seconds]).toEqual([app, 5]);
    }
  });

  it('gives no pod more than it needs', () => {
    for (const { pod, container } of workloads) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.securityContext!.runAsUser).toBeGreaterThan(0);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      for (const bound of [container.resources?.requests, container.resources?.limits]) {
        expect(Object.keys(bound ?? {}).sort()).toEqual(['cpu', 'memory']);
      }
      for (const { secret } of pod.volumes?.filter((volume) => volume.secret) ?? []) {
        expect(secret!.defaultMode).toBe(0o440);
      }
      if (secretFilesOf({ pod, container } as Workload).size > 0) {
        expect(pod.securityContext!.fsGroup).toBe(pod.securityContext!.runAsGroup);
      }
      expect(container.image).toMatch(/:[\w.-]+(?:@sha256:[0-9a-f]{64})?$/);
      expect(container.image).not.toMatch(/:latest$/);
    }
    const user = imageDefaults().user.split(':').map(Number);
    for (const { pod } of appsOf(objects)) {
      expect([pod.securityContext!.runAsUser, pod.securityContext!.runAsGroup]).toEqual(user);
    }
  });
});
