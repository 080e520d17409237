import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { type Manifest, nameOf } from './manifest.js';

interface Model {
  validate(): void;
}
type Kind = new () => Model;

const KEDA = '@kubernetes-models/keda/keda.sh/v1alpha1';
const PROMETHEUS = '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';

/** `apiVersion kind` → its schema, and the module with its type. */
const KINDS: Readonly<Record<string, readonly [Kind, string]>> = {
  'v1 Namespace': [Namespace, 'kubernetes-models/v1'],
  'v1 ConfigMap': [ConfigMap, 'kubernetes-models/v1'],
  'v1 PersistentVolumeClaim': [PersistentVolumeClaim, 'kubernetes-models/v1'],
  'v1 Secret': [Secret, 'kubernetes-models/v1'],
  'v1 Service': [Service, 'kubernetes-models/v1'],
  'apps/v1 Deployment': [Deployment, 'kubernetes-models/apps/v1'],
  'apps/v1 StatefulSet': [StatefulSet, 'kubernetes-models/apps/v1'],
  'autoscaling/v2 HorizontalPodAutoscaler': [
    HorizontalPodAutoscaler,
    'kubernetes-models/autoscaling/v2',
  ],
  'networking.k8s.io/v1 Ingress': [Ingress, 'kubernetes-models/networking.k8s.io/v1'],
  'networking.k8s.io/v1 NetworkPolicy': [NetworkPolicy, 'kubernetes-models/networking.k8s.io/v1'],
  'policy/v1 PodDisruptionBudget': [PodDisruptionBudget, 'kubernetes-models/policy/v1'],
  'keda.sh/v1alpha1 ScaledObject': [ScaledObject, KEDA],
  'keda.sh/v1alpha1 TriggerAuthentication': [TriggerAuthentication, KEDA],
  'monitoring.coreos.com/v1 PodMonitor': [PodMonitor, PROMETHEUS],
};

function kindOf({ apiVersion, kind }: Manifest): readonly [Kind, string] {
  const found = KINDS[`${apiVersion} ${kind}`];
  if (!found) throw new Error(`no schema for ${apiVersion} ${kind}`);
  return found;
}

/**
 * Problems that Kubernetes' own schema finds in an object; empty if none. Unknown fields pass: see `unknown-fields.ts`.
 */
export function schemaProblems(object: Manifest): string[] {
  const [Kind] = kindOf(object);
  try {
    Object.assign(new Kind(), object).validate();
    return [];
  } catch (error) {
    return [`${nameOf(object)}: ${(error as Error).message}`];
  }
}

/** The module in which the interface `I<kind>` of an object is declared. */
export function typeModuleOf(object: Manifest): string {
  return `${kindOf(object)[1]}/${object.kind}`;
}
