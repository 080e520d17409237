import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer';
import type { INetworkPolicyPort } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPort';
import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicySpec';
import type { ILabelSelector } from '@kubernetes-models/apimachinery/apis/meta/v1/LabelSelector';
import type { Manifest } from './manifest.js';
import { type Workload, workloadsOf } from './workload.js';

/** The name for everything outside the fleet. */
export const OUTSIDE = 'outside';
const NAMES = 'names';
const KUBE_DNS = JSON.stringify({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
  podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
});

const NODE_LOCAL_DNS = '169.254.20.10/32';

/**
 * The connections that the policies allow, each as `from -> to:port`. All others are denied only where a
 * policy says so.
 */
export interface Allowed {
  readonly egress: readonly string[];
  readonly ingress: readonly string[];
}

/** Throws on unsupported rules, and if a pod has no policy for a direction. */
export function allowedEdges(objects: readonly Manifest[]): Allowed {
  const workloads = workloadsOf(objects);
  const policies = objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => spec as unknown as INetworkPolicySpec);
  const [egress, ingress] = [new Set<string>(), new Set<string>()];
  for (const workload of workloads) {
    const about = policies.filter((policy) => selects(policy.podSelector ?? {}, workload.labels));
    for (const direction of ['Egress', 'Ingress'] as const) {
      if (about.some(({ policyTypes }) => policyTypes?.includes(direction))) continue;
      throw new Error(`no policy denies ${direction} of ${workload.name}`);
    }
    for (const rule of about.flatMap((policy) => policy.egress ?? [])) {
      for (const { name, port } of reached(rule.to, rule.ports, workloads)) {
        egress.add(`${workload.name} -> ${name}:${port(name)}`);
      }
    }
    for (const rule of about.flatMap((policy) => policy.ingress ?? [])) {
      for (const { name, port } of reached(rule.from, rule.ports, workloads)) {
        ingress.add(`${name} -> ${workload.name}:${port(workload.name)}`);
      }
    }
  }
  return { egress: [...egress].sort(), ingress: [...ingress].sort() };
}

/** Combines every peer with every port; `port` resolves the name of a port at a workload. */
function reached(
  peers: readonly INetworkPolicyPeer[] | undefined,
  ports: readonly INetworkPolicyPort[] | undefined,
  workloads: readonly Workload[],
) {
  const names = peers === undefined ? [OUTSIDE] : peers.flatMap((one) => namesOf(one, workloads));
  if (ports === undefined) throw new Error('unsupported rule for all ports');
  return names.flatMap((name) =>
    ports.map(({ port: given, protocol = 'TCP' }) => ({
      name,
      port: (workloadName: string) => {
        const number =
          typeof given === 'number' ? given : portNamed(String(given), workloadName, workloads);
        return protocol === 'TCP' ? String(number) : `${number}/${protocol}`;
      },
    })),
  );
}

function namesOf(peer: INetworkPolicyPeer, workloads: readonly Workload[]): string[] {
  if (peer.ipBlock) return [peer.ipBlock.cidr === NODE_LOCAL_DNS ? NAMES : OUTSIDE];
  if (JSON.stringify(peer) === KUBE_DNS) return [NAMES];
  const { namespaceSelector, podSelector } = peer;
  if (namespaceSelector) return [nameElsewhere(namespaceSelector, podSelector)];
  if (!podSelector) throw new Error(`unsupported peer: ${JSON.stringify(peer)}`);
  return workloads.filter(({ labels }) => selects(podSelector, labels)).map(({ name }) => name);
}

/** `namespace/name`, or only the namespace if any of its pods matches. */
function nameElsewhere(namespace: ILabelSelector, pod: ILabelSelector | undefined): string {
  const inside = namespace.matchLabels?.['kubernetes.io/metadata.name'];
  if (inside === undefined) throw new Error(`unsupported selector: ${JSON.stringify(namespace)}`);
  if (pod === undefined) return inside;
  return `${inside}/${pod.matchLabels?.['app.kubernetes.io/name']}`;
}

function portNamed(port: string, workloadName: string, workloads: readonly Workload[]): number {
  const found = workloads
    .find(({ name }) => name === workloadName)
    ?.container.ports?.find(({ name }) => name === port);
  if (!found) throw new Error(`${workloadName} has no port ${port}`);
  return found.containerPort;
}

export function selects(
  { matchLabels = {}, matchExpressions = [] }: ILabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`unsupported operator ${operator}`);
      return values!.includes(labels[key]!);
    })
  );
}
