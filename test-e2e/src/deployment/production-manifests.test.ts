import { describe, expect, it } from '@jest/globals';
import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicySpec';
import { autoscaledBy } from './autoscaled-by.js';
import { readVariant } from './variants.js';
import { secretFilesOf, workloadsOf } from './workload.js';

describe('production', () => {
  const objects = readVariant('production');

  it('names every image by its digest', () => {
    for (const { name, container, pod } of workloadsOf(objects)) {
      const images = [container, ...(pod.initContainers ?? [])].map(({ image }) => image);
      for (const image of images) {
        expect([name, image]).toEqual([name, expect.stringMatching(/@sha256:[0-9a-f]{64}$/)]);
      }
    }
  });

  it('allows outgoing traffic to single addresses only, which are placeholders until an operator replaces them', () => {
    const policies = objects
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ metadata, spec }) => [metadata.name, (spec as INetworkPolicySpec).egress] as const);
    const found = policies.map(([name, egress = []]) => {
      const peers = egress.flatMap(({ to }) => {
        // A rule without `to` covers every address.
        expect(to ?? []).not.toEqual([]);
        return to!.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : []));
      });
      return [name, peers.map(({ cidr, except }) => (except ? 'unsupported' : cidr))] as const;
    });
    const named = found.filter(([, blocks]) => blocks.length > 0);
    expect(Object.fromEntries(named)).toEqual({
      // The address of NodeLocal DNSCache on every node.
      'look-up-names': ['169.254.20.10/32'],
      ledger: ['192.0.2.10/32', '2001:db8::10/128'],
      store: ['192.0.2.20/32', '2001:db8::20/128'],
    });
  });

  it('gives each service a separate Redis user', () => {
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
  it('is set once for each service of production', () => {
    const objects = readVariant('production');
    expect(autoscaledBy(objects)).toEqual({
      gateway: ['HorizontalPodAutoscaler/gateway'],
      executor: ['ScaledObject/executor'],
    });
    const fixed = objects
      .filter(({ kind, spec }) => kind === 'Deployment' && 'replicas' in (spec as object))
      .map(({ metadata }) => metadata.name);
    expect(fixed.sort()).toEqual(['coin-pool', 'events']);
  });
});
