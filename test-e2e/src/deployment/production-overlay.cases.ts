import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicySpec';
import { autoscaledBy } from './autoscaled-by.js';
import { DOCKER, type Manifest } from './manifest.js';
import { resolveKustomization, resolveOverlay } from './resolve-kustomization.js';
import { unknownFields } from './unknown-fields.js';
import { schemaProblems } from './validate-object.js';
import { secretFilesOf, workloadsOf } from './workload.js';

describe('the overlay production', () => {
  const objects = resolveOverlay('production');

  it('names every image by its digest', () => {
    for (const { name, container, pod } of workloadsOf(objects)) {
      const images = [container, ...(pod.initContainers ?? [])].map(({ image }) => image);
      for (const image of images) {
        expect([name, image]).toEqual([name, expect.stringMatching(/@sha256:[0-9a-f]{64}$/)]);
      }
    }
  });

  it('lets nothing out but to single addresses, which lead nowhere until an operator names his own', () => {
    const blocks = objects
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .flatMap(({ spec }) => (spec as INetworkPolicySpec).egress ?? [])
      .flatMap(({ to }) => {
        // A rule without `to` is one for every address.
        expect(to ?? []).not.toEqual([]);
        return to!.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : []));
      });
    expect(blocks.length).toBeGreaterThan(0);
    for (const { cidr, except } of blocks) {
      expect([cidr, except]).toEqual([expect.stringMatching(/^192\.0\.2\.\d+\/32$/), undefined]);
    }
  });

  it('gives each service a Redis user of its own', () => {
    const keys = workloadsOf(objects).flatMap((workload) =>
      [...secretFilesOf(workload).values()]
        .filter(({ secret }) => secret === 'forecourt-redis')
        .map(({ key }) => [workload.name, key]),
    );
    expect(Object.fromEntries(keys)).toEqual({
      'coin-pool': 'coin-pool.url',
      executor: 'executor.url',
      gateway: 'gateway.url',
    });
  });
});

describe('the number of replicas', () => {
  const folder = new TemporaryFolder();
  afterAll(() => folder.remove());

  const variant = (...components: string[]): Manifest[] => {
    const path = (...to: string[]) => relative(folder.path, join(DOCKER, 'kubernetes', ...to));
    const lines = [
      `resources: ['${path('base')}']`,
      `components: [${components.map((one) => `'${path('components', one)}'`).join(', ')}]`,
    ];
    folder.write('kustomization.yaml', lines.join('\n'));
    return resolveKustomization(folder.path);
  };

  it('is said once for each service of production', () => {
    const objects = resolveOverlay('production');
    expect(autoscaledBy(objects)).toEqual({
      gateway: ['HorizontalPodAutoscaler/gateway'],
      executor: ['ScaledObject/executor'],
    });
    const fixed = objects
      .filter(({ kind, spec }) => kind === 'Deployment' && 'replicas' in (spec as object))
      .map(({ metadata }) => metadata.name);
    expect(fixed.sort()).toEqual(['coin-pool', 'events']);
  });

  it('of executors can come from a metric instead, and never from both', () => {
    const objects = variant('scale-executors-by-metric');
    expect(objects.flatMap(schemaProblems)).toEqual([]);
    expect(unknownFields(objects)).toEqual([]);
    expect(autoscaledBy(objects)).toEqual({ executor: ['HorizontalPodAutoscaler/executor'] });
    const both = variant('scale-executors-by-metric', 'scale-executors-by-queue');
    expect(() => autoscaledBy(both)).toThrow('executor is scaled twice');
  }, 60_000);
});
