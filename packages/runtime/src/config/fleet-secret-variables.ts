import type { ConfigOf } from './read-config.js';
import { variable } from './variable.js';

/** Variables by which services authenticate each other. Spread into the table of every service that talks to another. */
export const fleetSecretVariables = {
  fleetSecrets: variable.secretList('FLEET_SECRET', {
    optional: true,
    minLength: 32,
    description:
      'Secret by which the services of one fleet authenticate each other. The first is used and all are accepted, so that it can be changed without downtime',
  }),
  allowUnauthenticatedFleet: variable.boolean('ALLOW_UNAUTHENTICATED_FLEET', {
    default: false,
    description:
      'Run without `FLEET_SECRET`: every host that reaches a coin-pool over the network can reserve and spend as any caller',
  }),
};

/** Problems of the fleet secret; empty when the service may run. */
export function checkFleetSecret({
  fleetSecrets,
  allowUnauthenticatedFleet,
}: ConfigOf<typeof fleetSecretVariables>): string[] {
  if (fleetSecrets.length > 0 || allowUnauthenticatedFleet) return [];
  return [
    'FLEET_SECRET is not set: any host in the network could act as a service of the fleet. Set the same secret of at least 32 characters for every service, or ALLOW_UNAUTHENTICATED_FLEET=true to run without one',
  ];
}
