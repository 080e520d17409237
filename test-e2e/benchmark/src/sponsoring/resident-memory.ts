import { residentMib } from '@forecourt/testing/figures';
import type { System } from '@forecourt/testing/system';

/** Resident memory of the services in MiB (Linux). */
export function residentMibOf({ processes }: System): number {
  const services = processes.filter(({ app }) => app !== 'devnet');
  return services.reduce((sum, { pid }) => sum + residentMib(pid!), 0);
}
