import { redactUrls } from '@forecourt/contracts';
import type { System } from '@forecourt/testing/system';
import { COMMAND } from '../workspace/workspace-config.js';

/** Describes a started system: addresses, the token and a command to copy. */
export function describeRunning(system: System): string {
  // The address of a process with all services is that of its gateway.
  const urls = system.processes.map(
    ({ app, name, url }) => `  ${(app === 'station' ? 'gateway' : name).padEnd(12)} ${url}`,
  );
  return [
    '',
    ...urls,
    `  ${'compatible'.padEnd(12)} ${compatibilityUrl(system)}, for clients of public gas stations`,
    ...(system.faucetUrl ? [`  ${'faucet'.padEnd(12)} ${system.faucetUrl}`] : []),
    `  ${'redis'.padEnd(12)} ${system.facts.redisUrl
      .split(/,(?=rediss?:)/)
      .map(redactUrls)
      .join(', ')}, with its password in .data/operator.url`,
    ...describeDatabase(system),
    `  ${'sponsor'.padEnd(12)} ${system.sponsor}`,
    `  ${'logs'.padEnd(12)} ${system.logDir}`,
    '',
    'Up. Ctrl-C stops everything.',
    `  ${'console'.padEnd(12)} ${consoleUrl(system)}, which this token opens:`,
    `  ${'token'.padEnd(12)} ${system.token}`,
    `Next, in another terminal, a new user has a call sponsored, which the console shows: ${COMMAND} try`,
    '',
  ].join('\n');
}

/** Behind a proxy, the address that browsers use. */
export function consoleUrl(system: Pick<System, 'gatewayUrls' | 'services'>): string {
  const { PUBLIC_URL } = system.services('gateway')[0]!.options.env;
  return `${(PUBLIC_URL || system.gatewayUrls[0]!).replace(/\/+$/, '')}/console`;
}

function describeDatabase({ database }: System): string[] {
  if (database === null) return [];
  const password = database.server === null ? '' : ', with its password in .data/postgres-password';
  return [`  ${'postgres'.padEnd(12)} ${redactUrls(database.url)}${password}`];
}

function compatibilityUrl(system: System): string {
  const { GATEWAY_COMPATIBILITY_PORT } = system.services('gateway')[0]!.options.env;
  return `http://127.0.0.1:${GATEWAY_COMPATIBILITY_PORT}`;
}
