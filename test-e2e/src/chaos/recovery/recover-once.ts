import { setTimeout as delay } from 'node:timers/promises';
import { callUntilDefinite, type Gateways } from '../call-gateway.js';
import type { Seeded } from '../../support/seeded.js';
import { untilAtRest } from '../until-at-rest.js';
import { buildSponsored, type Reservation } from '../../support/application.js';
import type { TestSystem } from '../../support/test-system.js';
import { killOnce, nameVictim, type Victim } from './kill-once.js';

const EXECUTE = 'iota_executeTransactionBlock';
const WAVE = 8;
const BUDGET = 10_000_000;
const DURATION_SECS = 120;
/** Latency of a distant node, so that most kills hit transactions under way. */
const NODE_MS = 250;
const LATEST_KILL_MS = 500;
/** Far above the required bound. */
const BOUND_MS = 120_000;

export interface Recovery {
  readonly killed: string;
  /** From the kill until nothing was under way; null: not within two minutes. */
  readonly poolMs: number | null;
  /** From the kill until the last caller had its effects. */
  readonly callersMs: number;
  /** Answers of execute other than effects. */
  readonly refusals: readonly string[];
}

/**
 * Executes some transactions at once, kills a part of the system meanwhile, and waits until the pool is
 * complete again.
 */
export async function recoverOnce(
  system: TestSystem,
  gateways: Gateways,
  poolCoins: number,
  victim: Victim,
  seeded: Seeded,
): Promise<Recovery> {
  const never = new AbortController().signal;
  const wave = await Promise.all(
    Array.from({ length: WAVE }, async () => {
      const first = seeded.integer(0, 1);
      const request = { gas_budget: BUDGET, reserve_duration_secs: DURATION_SECS };
      const answer = await callUntilDefinite(gateways, first, '/v1/reserve_gas', request, never);
      const reservation = answer!.body.result as unknown as Reservation;
      const { tx_bytes, user_sig } = await buildSponsored(system.application, reservation);
      return { first, body: { reservation_id: reservation.reservation_id, tx_bytes, user_sig } };
    }),
  );
  await system.control.fault({
    kind: 'latency',
    when: 'after',
    ms: NODE_MS,
    forMs: BOUND_MS,
    method: EXECUTE,
  });
  const answers = Promise.all(
    wave.map(({ first, body }) =>
      callUntilDefinite(gateways, first, '/v1/execute_tx', body, never),
    ),
  ).then((all) => ({ all, answeredAt: performance.now() }));
  await delay(seeded.integer(0, LATEST_KILL_MS));
  const killedAt = performance.now();
  const restarted = killOnce(system, victim);
  const { all, answeredAt } = await answers;
  const rest = await untilAtRest(system, poolCoins, killedAt + BOUND_MS);
  await restarted;
  await system.control.clearFaults();
  return {
    killed: nameVictim(victim),
    poolMs: rest.atRest
      ? Math.max(0, Math.max(answeredAt, rest.workedUntil ?? 0) - killedAt)
      : null,
    callersMs: Math.max(0, answeredAt - killedAt),
    refusals: all.flatMap((answer) =>
      answer!.status === 200 ? [] : [`${answer!.status} ${String(answer!.body.error)}`],
    ),
  };
}
