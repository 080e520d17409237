import { join } from 'node:path';
import { type App, DATA } from '@forecourt/testing/system';
import { DOCKER, type Manifest, readYaml } from './manifest.js';

/** A way to deploy. */
export interface Variant {
  /** The files of `docker/helm/values` from which Helm renders its objects; a later one wins. */
  readonly values: readonly string[];
  readonly apps: readonly App[];
}

const SERVICES: readonly App[] = ['gateway', 'coin-pool', 'executor', 'events'];

/** The file of values that leaves the choice of users and groups to the cluster. */
export const OPENSHIFT = 'openshift';

/** The variants whose objects are in `docker/kubernetes`. */
export const COMMITTED: readonly string[] = ['local', 'production'];

export const VARIANTS: Readonly<Record<string, Variant>> = {
  local: { values: ['local'], apps: [...SERVICES, 'devnet'] },
  production: { values: ['production'], apps: SERVICES },
  'region-a': { values: ['production', 'region-a'], apps: SERVICES },
  'region-b': { values: ['production', 'region-b'], apps: SERVICES },
  'production-history': { values: ['production', 'history'], apps: [...SERVICES, 'history'] },
  'production-additions': {
    values: ['production', 'history', 'additions'],
    apps: [...SERVICES, 'history'],
  },
  'production-openshift': {
    values: ['production', 'history', OPENSHIFT],
    apps: [...SERVICES, 'history'],
  },
  'production-sentinel': {
    values: ['production', 'history', 'sentinel'],
    apps: [...SERVICES, 'history'],
  },
};

/** The rendered file of a variant. `npm run verify -- chart` renders those that are not committed. */
export const manifestsOf = (variant: string) => {
  const folder = COMMITTED.includes(variant) ? [DOCKER, 'kubernetes'] : [DATA, 'manifests'];
  return join(...folder, `${variant}.yaml`);
};

/** The objects of a variant, without the namespace. */
export function readVariant(variant: string): Manifest[] {
  return readYaml(manifestsOf(variant)) as Manifest[];
}
