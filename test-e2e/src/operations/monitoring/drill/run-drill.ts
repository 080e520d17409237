import { setTimeout as delay } from 'node:timers/promises';
import type { TestSystem } from '../../../support/test-system.js';
import type { Drill } from './drills.js';
import type { Prometheus } from './prometheus.js';

const LOOK_EVERY_MS = 500;
/** Several times the longest wait of an alert plus the time of the scrapes. */
const LIMIT_MS = 600_000;

/** When one alert fired and when it was resolved. */
export interface AlertSeen {
  readonly drill: string;
  readonly alert: string;
  /** After the disturbance; null: it did not fire. */
  readonly firedAfterSecs: number | null;
  /** After the repair; null: it still fired. */
  readonly resolvedAfterSecs: number | null;
}

/** Disturbs the system until every alert fires, repairs it, and waits until every alert is resolved. */
export async function runDrill(
  system: TestSystem,
  prometheus: Pick<Prometheus, 'listFiring'>,
  drill: Drill,
  say: (text: string) => void,
): Promise<readonly AlertSeen[]> {
  const { name, alerts } = drill;
  say(name);
  const over = new AbortController();
  const disturbed = drill.disturb(system, over.signal);
  const fired = await watch(alerts, async (alert) => (await prometheus.listFiring()).has(alert), {
    saw: (alert, seconds) => say(`  ${alert} fires after ${seconds} s`),
  });
  over.abort();
  await disturbed;
  await drill.repair(system);
  say('  repaired');
  const resolved = await watch(
    [...fired.keys()],
    async (alert) => !(await prometheus.listFiring()).has(alert),
    { saw: (alert, seconds) => say(`  ${alert} is resolved after ${seconds} s`) },
  );
  return alerts.map((alert) => ({
    drill: name,
    alert,
    firedAfterSecs: fired.get(alert) ?? null,
    resolvedAfterSecs: resolved.get(alert) ?? null,
  }));
}

/** Waits until the condition holds for each alert; returns the time in s for those that met it. */
async function watch(
  alerts: readonly string[],
  holds: (alert: string) => Promise<boolean>,
  { saw }: { readonly saw: (alert: string, seconds: number) => void },
): Promise<ReadonlyMap<string, number>> {
  const startedAt = performance.now();
  const seen = new Map<string, number>();
  while (seen.size < alerts.length && performance.now() - startedAt < LIMIT_MS) {
    for (const alert of alerts) {
      if (seen.has(alert) || !(await holds(alert))) continue;
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      seen.set(alert, seconds);
      saw(alert, seconds);
    }
    await delay(LOOK_EVERY_MS);
  }
  return seen;
}
