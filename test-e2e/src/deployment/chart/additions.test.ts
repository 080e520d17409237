import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedisServer, type RedisServer } from '@forecourt/testing/redis';
import { readUsersTemplate, RedisCredentials } from '@forecourt/testing/system';
import { Redis } from 'ioredis';
import type { IIngressSpec } from 'kubernetes-models/networking.k8s.io/v1/IngressSpec';
import { type Manifest, nameOf } from '../manifest.js';
import { readVariant, VARIANTS } from '../variants.js';
import { environmentOf, type Workload, workloadsOf } from '../workload.js';

const together = readVariant('production-additions');
const find = (objects: readonly Manifest[], name: string) =>
  objects.find((one) => nameOf(one) === name)!;
const workloadNamed = (objects: readonly Manifest[], wanted: string): Workload =>
  workloadsOf(objects).find(({ name }) => name === wanted)!;
const environmentIn = (objects: readonly Manifest[], app: string) =>
  environmentOf(workloadNamed(objects, app), objects);

const bytes = (quantity: string) => {
  const [, number, unit] = /^(\d+)(Mi|mb|m)$/.exec(quantity)!;
  return Number(number) * { Mi: 2 ** 20, mb: 2 ** 20, m: 2 ** 20 }[unit as 'Mi' | 'mb' | 'm'];
};

describe('monitoring', () => {
  it('scrapes every pod of every service under the job that the alerts name', () => {
    const monitors = together.filter(({ kind }) => kind === 'PodMonitor');
    expect(monitors.map(({ metadata }) => metadata.name).sort()).toEqual(
      VARIANTS['production-history']!.apps.toSorted(),
    );
    for (const { metadata, spec } of monitors) {
      const { labels } = workloadNamed(together, metadata.name);
      const { jobLabel, selector, podMetricsEndpoints } = spec as unknown as {
        jobLabel: string;
        selector: { matchLabels: object };
        podMetricsEndpoints: { path: string }[];
      };
      expect(labels).toEqual(selector.matchLabels);
      expect(labels[jobLabel]).toBe('forecourt');
      expect(podMetricsEndpoints.map(({ path }) => path)).toEqual(['/metrics']);
    }
  });
});

describe('access', () => {
  it('mounts a folder and watches it, since Kubernetes replaces its files', () => {
    const { pod, container } = workloadNamed(together, 'gateway');
    const mount = container.volumeMounts!.find(({ name }) => name === 'access')!;
    expect(mount).toEqual({ name: 'access', mountPath: expect.any(String), readOnly: true });
    expect(pod.volumes!.find(({ name }) => name === 'access')!.secret!.items).toBeUndefined();
    const environment = environmentIn(together, 'gateway');
    expect(environment['TOKENS_FILE']).toBe(`${mount.mountPath}/tokens.yaml`);
    expect(environment['ACCESS_RULES_FILE']).toBe(`${mount.mountPath}/rules.yaml`);
  });

  it('gives each gateway a separate file on a shared volume', () => {
    expect(environmentIn(together, 'gateway')['ACCESS_AUDIT_FILE']).toBe(
      '/data/pod-of-a-test.jsonl',
    );
    const claim = find(together, 'PersistentVolumeClaim/forecourt-access-audit');
    expect(claim['spec']).toMatchObject({ accessModes: ['ReadWriteMany'] });
  });
});

describe('the ingress', () => {
  const ingress = find(together, 'Ingress/gateway');
  const spec = ingress['spec'] as unknown as IIngressSpec;
  const environment = environmentIn(together, 'gateway');
  const annotation = (name: string) =>
    (ingress.metadata['annotations'] as Record<string, string>)[
      `nginx.ingress.kubernetes.io/${name}`
    ]!;

  it('serves one name over TLS only, at the address in the description of the API', () => {
    const hosts = spec.rules!.map(({ host }) => host);
    expect(spec.tls!.flatMap((one) => one.hosts)).toEqual(hosts);
    expect(environment['PUBLIC_URL']).toBe(`https://${hosts[0]}`);
    expect(spec.rules![0]!.http!.paths).toEqual([
      {
        path: '/',
        pathType: 'Prefix',
        backend: { service: { name: 'gateway', port: { name: 'http' } } },
      },
    ]);
  });

  it('cuts off neither requests that a gateway may still answer nor quiet WebSockets', () => {
    const seconds = ['proxy-read-timeout', 'proxy-send-timeout'].map(annotation).map(Number);
    // An execution waits 30 s for its outcome, a query 60 s; a WebSocket carries a ping every 30 s.
    for (const one of seconds) expect(one).toBeGreaterThan(60 + 20);
    expect(bytes(annotation('proxy-body-size'))).toBe(1_048_576);
    expect(annotation('proxy-next-upstream')).toBe('off');
  });

  it('does not trust a proxy until an operator has named one', () => {
    expect(environment['TRUSTED_PROXIES']).toMatch(/^192\.0\.2\.\d+$/);
  });
});

describe('private authorities', () => {
  it('reach every service that calls Redis, and to no other', () => {
    for (const workload of workloadsOf(together)) {
      const environment = environmentOf(workload, together);
      const file = environment['NODE_EXTRA_CA_CERTS'];
      const mounts = workload.container.volumeMounts ?? [];
      const mounted = mounts.find(({ name }) => name.endsWith('-ca'))?.mountPath;
      const folder = workload.name === 'history' ? '/run/history-ca' : '/run/redis-ca';
      const expected = 'REDIS_URL_FILE' in environment ? `${folder}/ca.crt` : undefined;
      expect([workload.name, file]).toEqual([workload.name, expected]);
      expect(mounted && `${mounted}/ca.crt`).toBe(expected);
    }
  });
});

describe('KEDA', () => {
  const kinds = [
    {
      mode: 'single',
      type: 'redis',
      prefix: 'bull',
      address: 'address',
      variant: 'production-history',
    },
    {
      mode: 'cluster',
      type: 'redis-cluster',
      prefix: '{bull}',
      address: 'addresses',
      variant: 'production-additions',
    },
    {
      mode: 'sentinel',
      type: 'redis-sentinel',
      prefix: 'bull',
      address: 'addresses',
      variant: 'production-sentinel',
    },
  ];
  let server: RedisServer;
  let scaler: Redis;
  beforeAll(async () => {
    const credentials = new RedisCredentials(readUsersTemplate());
    server = await startRedisServer({ users: credentials.aclLines });
    scaler = new Redis(credentials.urlOf('scaler', server.url), { enableReadyCheck: false });
  });
  afterAll(async () => {
    scaler.disconnect();
    await server.stop();
  });

  it.each(kinds)('queries Redis in the mode $mode, like the services', async (kind) => {
    const objects = readVariant(kind.variant);
    const { triggers } = find(objects, 'ScaledObject/executor')['spec'] as unknown as {
      triggers: { type: string; metadata: Record<string, string> }[];
    };
    const { secretTargetRef } = find(objects, 'TriggerAuthentication/queue')['spec'] as unknown as {
      secretTargetRef: { parameter: string; key: string }[];
    };
    expect(secretTargetRef.map(({ parameter }) => parameter)).toContain(kind.address);
    const lists = ['prioritized', 'active', 'shared'].map(
      (list) => `${kind.prefix}:execute-transaction:${list}`,
    );
    expect(triggers.map(({ type, metadata }) => [type, metadata['listName']])).toEqual(
      lists.map((list) => [kind.type, list]),
    );
    for (const app of ['gateway', 'coin-pool', 'executor', 'history']) {
      const environment = environmentIn(objects, app);
      expect([app, environment['REDIS_MODE'] ?? 'single']).toEqual([app, kind.mode]);
      for (const { metadata } of triggers) {
        expect(metadata['enableTLS']).toBe('true');
        expect(metadata['sentinelMaster']).toBe(environment['REDIS_SENTINEL_MASTER']);
      }
    }
    // As KEDA asks: a script that looks at the type of the key first.
    const script = (count: string) =>
      `redis.call('type', KEYS[1]) return redis.call('${count}', KEYS[1])`;
    for (const [index, count] of ['zcard', 'llen', 'hlen'].entries()) {
      expect(await scaler.eval(script(count), 1, lists[index]!)).toBe(0);
    }
    const other = `${kind.prefix}:execute-transaction:meta`;
    await expect(scaler.eval(script('llen'), 1, other)).rejects.toThrow(/NOPERM/);
  });

  it('may ask a cluster which node has a key, and cannot change anything', async () => {
    for (const what of ['SLOTS', 'SHARDS', 'NODES']) {
      await expect(scaler.call('CLUSTER', what)).rejects.toThrow(/cluster support disabled/);
    }
    await expect(scaler.call('CLUSTER', 'FAILOVER')).rejects.toThrow(/NOPERM/);
    await expect(scaler.del('bull:execute-transaction:prioritized')).rejects.toThrow(/NOPERM/);
  });
});

describe('two regions', () => {
  const [a, b] = ['region-a', 'region-b'].map((name) => readVariant(name)) as [
    Manifest[],
    Manifest[],
  ];

  it('share no Redis, and prefer their own node', () => {
    const [ofA, ofB] = [a, b].map((objects): string[] => {
      const policy = JSON.stringify(find(objects, 'NetworkPolicy/store'));
      return policy.match(/"cidr":"[^"]+"/g)!;
    }) as [string[], string[]];
    expect(ofA.filter((block) => ofB.includes(block))).toEqual([]);
    const nodes = [a, b].map((objects) =>
      environmentIn(objects, 'executor')['LEDGER_URL']!.split(','),
    ) as [string[], string[]];
    expect(nodes[0]).toEqual(nodes[1].toReversed());
    const urls = [a, b].map((objects) => environmentIn(objects, 'gateway')['PUBLIC_URL']);
    expect(new Set(urls).size).toBe(2);
  });
});
