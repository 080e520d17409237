import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { App } from '@forecourt/testing/system';
import { DOCKER, type Manifest } from './manifest.js';
import { resolveKustomization } from './resolve-kustomization.js';

/** A way to deploy: an overlay with optional components. */
export interface Variant {
  readonly overlay: string;
  readonly components: readonly string[];
  readonly apps: readonly App[];
}

const SERVICES: readonly App[] = ['gateway', 'coin-pool', 'executor', 'events'];
/** Components that can be used together. */
export const ADDITIONS = [
  'access-audit-file',
  'access-files',
  'events-index',
  'history',
  'history-private-ca',
  'ingress',
  'monitoring',
  'redis-private-ca',
  'webhooks',
];

/** Leaves the choice of users and groups to the cluster. */
export const OPENSHIFT = 'openshift';

/** Every overlay, and every component on an overlay. */
export const VARIANTS: Readonly<Record<string, Variant>> = {
  local: { overlay: 'local', components: [], apps: [...SERVICES, 'devnet'] },
  production: { overlay: 'production', components: [], apps: SERVICES },
  'region-a': { overlay: 'region-a', components: [], apps: SERVICES },
  'region-b': { overlay: 'region-b', components: [], apps: SERVICES },
  'production with a Redis Cluster and all additions': {
    overlay: 'production',
    components: ['redis-cluster', ...ADDITIONS],
    apps: [...SERVICES, 'history'],
  },
  'production with history': {
    overlay: 'production',
    components: ['history'],
    apps: [...SERVICES, 'history'],
  },
  'production on OpenShift': {
    overlay: 'production',
    components: ['history', 'access-audit-file', OPENSHIFT],
    apps: [...SERVICES, 'history'],
  },
  'production under Sentinels': {
    overlay: 'production',
    components: ['redis-sentinel'],
    apps: SERVICES,
  },
};

/** The folders of `docker/kubernetes/<kind>`. */
export function foldersOf(kind: 'components' | 'overlays'): string[] {
  return readdirSync(join(DOCKER, 'kubernetes', kind));
}

/** Writes the kustomization of an overlay, or of `base`, with components into a folder. */
export function writeVariant(folder: string, { overlay, components }: Omit<Variant, 'apps'>): void {
  const path = (...to: string[]) => relative(folder, join(DOCKER, 'kubernetes', ...to));
  const resource = overlay === 'base' ? path('base') : path('overlays', overlay);
  const lines = [
    'namespace: forecourt',
    `resources: ['${resource}']`,
    `components: [${components.map((one) => `'${path('components', one)}'`).join(', ')}]`,
  ];
  writeFileSync(join(folder, 'kustomization.yaml'), lines.join('\n'));
}

/** The objects of an overlay, or of `base`, with components. */
export function resolveVariant(variant: Omit<Variant, 'apps'>): Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-variant-'));
  try {
    writeVariant(folder, variant);
    return resolveKustomization(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
