import type { FleetReplica } from '../../generated/gateway-types.js';

interface Gateway extends FleetReplica {
  /** The version of its tokens and rules. */
  readonly rules: string;
}

/** The gateways of a fleet, and whether two of them use different tokens or rules. */
export function compareGateways(replicas: readonly FleetReplica[]): {
  readonly gateways: readonly Gateway[];
  readonly differ: boolean;
} {
  const gateways = replicas
    .filter(({ service }) => service === 'gateway')
    .map((one) => ({ ...one, rules: one.access_version ?? 'unknown' }));
  const known = new Set(gateways.flatMap(({ access_version: version }) => version ?? []));
  return { gateways, differ: known.size > 1 };
}
