import type { App } from '@forecourt/testing/system';
import { parseExposition, sumOf } from '../../operations/monitoring/scrape.js';
import type { TestSystem } from '../../support/test-system.js';

const APPS: readonly App[] = ['gateway', 'coin-pool', 'executor', 'events'];
const SCRAPE_MS = 5_000;
const MIB = 1024 * 1024;

/** Service → resident memory in MiB; null: it does not answer. */
export type Memory = Readonly<Record<string, number | null>>;

export async function measureMemory(system: TestSystem): Promise<Memory> {
  const services = APPS.flatMap((app) => system.services(app));
  const figures = services.map(async ({ name, metricsUrl }) => {
    try {
      const response = await fetch(metricsUrl, { signal: AbortSignal.timeout(SCRAPE_MS) });
      const exposition = parseExposition(await response.text());
      const bytes = sumOf(exposition, 'forecourt_process_resident_memory_bytes');
      return [name, Math.round(bytes / MIB)] as const;
    } catch {
      return [name, null] as const;
    }
  });
  return Object.fromEntries(await Promise.all(figures));
}

export function metricsUrlsOf(system: TestSystem): string[] {
  return APPS.flatMap((app) => system.services(app)).map(({ metricsUrl }) => metricsUrl);
}

/** Service → the most that was seen of it. */
export function mostMemory(one: Memory, other: Memory): Memory {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => [name, Math.max(one[name] ?? 0, other[name] ?? 0)]),
  );
}

/** Services that did not answer. */
export function silentServices(memory: Memory): string[] {
  return Object.keys(memory).filter((name) => memory[name] === null);
}

/** Services whose process is no longer the one that was started. */
export function endedServices(system: TestSystem, pids: ReadonlyMap<string, number>): string[] {
  const services = APPS.flatMap((app) => system.services(app));
  return services
    .filter(({ name, pid, running }) => !running || pid !== pids.get(name))
    .map(({ name }) => name);
}

export function pidsOf(system: TestSystem): ReadonlyMap<string, number> {
  const services = APPS.flatMap((app) => system.services(app));
  return new Map(services.map(({ name, pid }) => [name, pid!]));
}
