import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { SHUTDOWN_MS } from '@forecourt/runtime/service';
import type { IServiceSpec } from 'kubernetes-models/v1/ServiceSpec';
import { type Behaviour, unknownVariables } from './app-configurations.js';
import { deployedApps } from './deployed-apps.js';
import { imageDefaults } from './dockerfile.js';
import { DOCKER, type Manifest, nameOf } from './manifest.js';
import { allowedEdges, OUTSIDE, selects } from './network-edges.js';
import { OPENSHIFT, readVariant, VARIANTS } from './variants.js';
import { secretFilesOf, type Workload, workloadsOf } from './workload.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

const appsOf = (objects: readonly Manifest[]) => deployedApps(objects, folder.path);

/** The clients of the public API: the ingress controller if there is an Ingress, everyone otherwise. */
function entrancesOf(objects: readonly Manifest[]): string[] {
  const isPublic = objects.some(({ kind }) => kind === 'Ingress');
  const who = isPublic ? 'ingress-nginx' : OUTSIDE;
  return [`${who} -> gateway:9527`, `${who} -> gateway:9528`];
}

/** The calls of Prometheus, if an object makes it scrape the pods. */
function scrapesOf(objects: readonly Manifest[]): string[] {
  if (!objects.some(({ kind }) => kind === 'PodMonitor')) return [];
  return appsOf(objects).map(
    ({ app, behaviour }) => `monitoring/prometheus -> ${app}:${behaviour.metricsPort}`,
  );
}

const PAGES = readdirSync(join(DOCKER, '../docs/operations')).map((page) =>
  readFileSync(join(DOCKER, '../docs/operations', page), 'utf8'),
);

/** The tests that every way to deploy passes. */
export function describeDeployment(name: string): void {
  const variant = VARIANTS[name]!;
  describe(`the deployment of ${name}`, () => {
    const objects = readVariant(name);
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
    /** The end of a call: the pod's port, or the outside. */
    const endOf = (call: string): string => {
      const [host, port] = call.split(/:(?=\d+$)/) as [string, string];
      if (!services.has(host)) return `${OUTSIDE}:${port}`;
      const { targetPort } = services.get(host)!.ports!.find((one) => one.port === Number(port))!;
      const [workload] = behindService(host);
      const target = workload!.container.ports!.find((one) => one.name === targetPort)!;
      return `${workload!.name}:${target.containerPort}`;
    };

    it('runs every app by its own program', () => {
      const programs = appsOf(objects).map(({ app, container }) => [app, container.args]);
      expect(Object.fromEntries(programs)).toEqual(
        Object.fromEntries(variant.apps.map((app) => [app, ['serve', app]])),
      );
      for (const { container } of appsOf(objects)) expect(container.command).toBeUndefined();
    });

    it('sets only variables that the app reads, to values that it accepts', () => {
      for (const { app, environment } of appsOf(objects)) {
        expect([app, unknownVariables(app, environment)]).toEqual([app, []]);
      }
    });

    it('names the ports that the apps listen on, and probes them where they answer', () => {
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

    it('scrapes every service where it shows its metrics', () => {
      for (const { app, container, behaviour } of appsOf(objects)) {
        const monitor = objects.find((one) => nameOf(one) === `PodMonitor/${app}`);
        if (!monitor) continue;
        const { podMetricsEndpoints } = monitor['spec'] as {
          podMetricsEndpoints: { port: string }[];
        };
        const ports = podMetricsEndpoints.map(({ port }) =>
          container.ports!.find(({ name }) => name === port),
        );
        expect([app, ports.map((port) => port?.containerPort)]).toEqual([
          app,
          [behaviour.metricsPort],
        ]);
      }
    });

    it('refers only to objects that it contains or that the documentation tells the operator to create', () => {
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
        // The documentation says how to create it and how to change it later.
        else expect(PAGES.filter((page) => told.test(page)).length).toBeGreaterThan(0);
      }
      for (const { pod } of workloads) {
        for (const { configMap, persistentVolumeClaim } of pod.volumes ?? []) {
          const claim = persistentVolumeClaim?.claimName;
          const claims = objects.filter((one) => nameOf(one) === `PersistentVolumeClaim/${claim}`);
          if (claim !== undefined) expect([claim, claims.length]).toEqual([claim, 1]);
          for (const { key } of configMap?.items ?? []) {
            const told = `create configmap ${configMap!.name} --from-file=${key}=`;
            expect(PAGES.filter((page) => page.includes(told))).toHaveLength(1);
          }
        }
      }
      for (const { spec } of objects.filter(({ kind }) => kind === 'Ingress')) {
        for (const { secretName } of (spec as { tls: { secretName: string }[] }).tls) {
          const told = `create secret tls ${secretName} `;
          expect(PAGES.filter((page) => page.includes(told))).toHaveLength(1);
        }
      }
      for (const { object } of workloads) {
        const { serviceName } = object['spec'] as { serviceName?: string };
        if (serviceName) expect([...services.keys()]).toContain(serviceName);
      }
    });

    it('selects by labels that exist', () => {
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
      expect(protectedOnes.flat().sort()).toEqual(
        variant.apps.filter((app) => app !== 'devnet').toSorted(),
      );
      for (const { pod, labels } of workloads) {
        for (const { labelSelector } of pod.topologySpreadConstraints ?? []) {
          expect(selects(labelSelector!, labels)).toBe(true);
        }
      }
    });

    it('allows exactly the calls that the configuration makes', () => {
      const calls = appsOf(objects).flatMap(({ app, behaviour }) =>
        behaviour.calls.map((call) => `${app} -> ${endOf(call)}`),
      );
      const names = appsOf(objects)
        .filter(({ behaviour }: { behaviour: Behaviour }) => behaviour.calls.length > 0)
        .flatMap(({ app }) => [`${app} -> names:53`, `${app} -> names:53/UDP`]);
      const entrances = [...entrancesOf(objects), ...scrapesOf(objects)];
      const { egress, ingress } = allowedEdges(objects);
      const sorted = (edges: readonly string[]) => [...new Set(edges)].sort();
      expect(egress).toEqual(sorted([...calls, ...names]));
      const inside = calls.filter((call) => !call.includes(`-> ${OUTSIDE}:`));
      expect(ingress).toEqual(sorted([...inside, ...entrances]));
    });

    it('gives every service enough time to stop', () => {
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

    it('gives no pod more permissions than it needs', () => {
      for (const { pod, container } of workloads) {
        expect(pod).toMatchObject({
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        });
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
        expect(container.image).toMatch(/:[\w.-]+(?:@sha256:[0-9a-f]{64})?$/);
        expect(container.image).not.toMatch(/:latest$/);
      }
    });

    it('runs the services as the image’s user, who may read their Secrets, or as the cluster’s choice', () => {
      const image = imageDefaults().user.split(':').map(Number);
      const isFixed = !variant.values.includes(OPENSHIFT);
      for (const { pod, container } of workloads) {
        const { runAsUser, runAsGroup, fsGroup } = pod.securityContext!;
        if (isFixed) expect(runAsUser).toBeGreaterThan(0);
        else expect([runAsUser, runAsGroup, fsGroup]).toEqual([undefined, undefined, undefined]);
        if (secretFilesOf({ pod, container } as Workload).size > 0)
          expect(fsGroup).toBe(runAsGroup);
      }
      if (!isFixed) return;
      for (const { pod } of appsOf(objects)) {
        expect([pod.securityContext!.runAsUser, pod.securityContext!.runAsGroup]).toEqual(image);
      }
    });
  });
}
