import { describe, expect, it } from '@jest/globals';
import { checkFleetSecret, fleetSecretVariables } from './fleet-secret-variables.js';
import { readConfig } from './read-config.js';

const read = (environment: Record<string, string>) =>
  readConfig(fleetSecretVariables, environment, checkFleetSecret);
const SECRET = 'a-secret-of-a-fleet-of-32-or-more-characters';

describe('fleetSecretVariables', () => {
  it('require the fleet secret unless ALLOW_UNAUTHENTICATED_FLEET is set', () => {
    expect(() => read({})).toThrow(/FLEET_SECRET is not set.*ALLOW_UNAUTHENTICATED_FLEET=true/s);
    expect(read({ ALLOW_UNAUTHENTICATED_FLEET: 'true' }).fleetSecrets).toEqual([]);
    expect(read({ FLEET_SECRET: SECRET }).fleetSecrets).toEqual([SECRET]);
  });

  it('accept a second secret for a rotation', () => {
    expect(read({ FLEET_SECRET: `new-${SECRET},${SECRET}` }).fleetSecrets).toHaveLength(2);
  });

  it('refuse a short secret without showing any', () => {
    const short = 'only-31-characters-are-too-few!';
    const reading = () => read({ FLEET_SECRET: `${SECRET},${short}` });
    expect(reading).toThrow(
      'FLEET_SECRET must be a list of secrets of at least 32 characters each',
    );
    expect(reading).not.toThrow(short);
    expect(reading).not.toThrow(SECRET);
  });
});
