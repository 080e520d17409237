import type { Manifest } from '../manifest.js';

/** Kinds of KEDA and of the Prometheus Operator. */
const KINDS = [
  ['keda.sh', 'v1alpha1', 'ScaledObject', 'scaledobjects'],
  ['keda.sh', 'v1alpha1', 'TriggerAuthentication', 'triggerauthentications'],
  ['monitoring.coreos.com', 'v1', 'PodMonitor', 'podmonitors'],
] as const;

/**
 * Definitions that make these kinds known to an API server, with any content: `npm test` compares their fields with the
 * schemas of those projects.
 */
export const customKinds: readonly Manifest[] = KINDS.map(([group, version, kind, plural]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
}));
