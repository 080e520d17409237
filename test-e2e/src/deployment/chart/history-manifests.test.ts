import { describe, expect, it } from '@jest/globals';
import type { IIPBlock } from 'kubernetes-models/networking.k8s.io/v1/IPBlock';
import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicySpec';
import { type Manifest, nameOf } from '../manifest.js';
import { selects } from '../network-edges.js';
import { readVariant } from '../variants.js';
import { environmentOf, secretFilesOf, type Workload, workloadsOf } from '../workload.js';

const without = readVariant('production');
const kept = readVariant('production-history');
const notified = readVariant('production-additions');

const workloadNamed = (objects: readonly Manifest[], wanted: string): Workload =>
  workloadsOf(objects).find(({ name }) => name === wanted)!;
const secretsOf = (objects: readonly Manifest[], app: string) =>
  (workloadNamed(objects, app).pod.volumes ?? []).flatMap(({ secret }) =>
    secret ? [secret.secretName!] : [],
  );

/** Blocks of addresses that policies let history connect to, by port. */
function blocksOf(objects: readonly Manifest[]): { block: IIPBlock; port: unknown }[] {
  const { labels } = workloadNamed(objects, 'history');
  return objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => spec as INetworkPolicySpec)
    .filter(({ podSelector }) => selects(podSelector ?? {}, labels))
    .flatMap(({ egress = [] }) => egress)
    .flatMap(({ to = [], ports = [] }) =>
      to.flatMap(({ ipBlock }) =>
        ipBlock ? ports.map(({ port }) => ({ block: ipBlock, port })) : [],
      ),
    );
}

describe('history', () => {
  it('lets history reach Redis, PostgreSQL and name servers, and nothing else outside', () => {
    const reached = blocksOf(kept).map(({ block, port }) => {
      expect(block.except).toBeUndefined();
      return `${block.cidr} ${String(port)}`;
    });
    expect(reached.sort()).toEqual([
      '169.254.20.10/32 53',
      '169.254.20.10/32 53',
      '192.0.2.20/32 6379',
      '192.0.2.40/32 5432',
      '2001:db8::20/128 6379',
      '2001:db8::40/128 5432',
    ]);
  });

  it('gives the database to no other service, and history a separate Redis user', () => {
    for (const { name } of workloadsOf(kept)) {
      const has = secretsOf(kept, name).includes('forecourt-database');
      expect([name, has]).toEqual([name, name === 'history']);
    }
    const files = secretFilesOf(workloadNamed(kept, 'history'));
    expect(files.get('/run/secrets/redis/url')).toEqual({
      secret: 'forecourt-redis',
      key: 'history.url',
    });
  });

  it('runs history from the image of the other services', () => {
    const imageOf = (app: string) => workloadNamed(kept, app).container.image;
    expect(imageOf('history')).toBe(imageOf('gateway'));
    expect(imageOf('history')).toMatch(/@sha256:/);
  });

  it('tells coin-pools the bound of history, so that they record before it has started', () => {
    const boundOf = (objects: readonly Manifest[], app: string) =>
      environmentOf(workloadNamed(objects, app), objects)['HISTORY_BACKLOG'];
    expect(boundOf(kept, 'coin-pool')).toBe(boundOf(kept, 'history'));
    expect(boundOf(kept, 'coin-pool')).toMatch(/^[1-9]/);
    expect(boundOf(without, 'coin-pool')).toBeUndefined();
  });

  it('is what turns history on in the gateways', () => {
    const addressIn = (objects: readonly Manifest[]) =>
      environmentOf(workloadNamed(objects, 'gateway'), objects)['HISTORY_ADDRESS'];
    expect(addressIn(kept)).toBe('history:9561,history:9561');
    expect(addressIn(without)).toBeUndefined();
    expect(without.map(nameOf).filter((name) => name.endsWith('/history'))).toEqual([]);
  });
});

describe('webhooks', () => {
  it('lets history reach the Internet by https, and none of the private networks', () => {
    const before = blocksOf(kept).map(({ block }) => block.cidr);
    const added = blocksOf(notified).filter(({ block }) => !before.includes(block.cidr));
    expect(added.map(({ block, port }) => [block.cidr, port])).toEqual([
      ['0.0.0.0/0', 443],
      ['2000::/3', 443],
    ]);
    // apps/history compares these lists with the addresses to which it sends nothing.
    expect(added[0]!.block.except).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12']),
    );
    expect(added[1]!.block.except).toEqual(expect.arrayContaining(['2002::/16']));
  });

  it('gives the secrets of webhooks to history only, in a folder beside that of the tokens', () => {
    for (const { name } of workloadsOf(notified)) {
      const has = secretsOf(notified, name).includes('forecourt-webhooks');
      expect([name, has]).toEqual([name, name === 'history']);
    }
    const { container, pod } = workloadNamed(notified, 'history');
    const folder = container.volumeMounts!.find(({ name }) => name === 'webhooks')!;
    expect(folder).toEqual({
      name: 'webhooks',
      mountPath: '/run/secrets/webhooks',
      readOnly: true,
    });
    const environment = environmentOf(workloadNamed(notified, 'history'), notified);
    expect(environment['TOKENS_FILE']).toBe('/run/secrets/access/tokens.yaml');
    const access = pod.volumes!.find(({ name }) => name === 'access')!.secret!;
    // Not the access rules, nor what they name.
    expect(access.items).toEqual([{ key: 'tokens.yaml', path: 'tokens.yaml' }]);
  });
});
