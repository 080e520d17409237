import {
  type ConfigOf,
  type Environment,
  fleetVariables,
  readConfig,
  variable,
} from '@forecourt/config';

export const eventsVariables = {
  host: fleetVariables.host,
  port: variable.port('EVENTS_PORT', { default: 9551, description: 'Port of the events service' }),
  logLevel: fleetVariables.logLevel,
  ledgerUrl: fleetVariables.ledgerUrl,
  ledgerTimeoutMs: fleetVariables.ledgerTimeoutMs,
};

export type EventsConfig = ConfigOf<typeof eventsVariables>;

/** Throws `ConfigError` naming every problem. */
export function readEventsConfig(environment: Environment = process.env): EventsConfig {
  return readConfig(eventsVariables, environment);
}
