import {
  type Invariant,
  type Landed,
  SHORTEST_RESERVATION_MS,
} from '../../chaos/find-violations.js';
import type { SponsoredCall } from '../../chaos/sponsored-call.js';
import type { ContainerUse } from './measure-idle.js';
import type { Kill } from './kill-containers.js';

/** In % of a core. */
const MAX_WHEN_IDLE = 3;

/** Requirements for containers; `chaos/find-violations.ts` has the others. */
export type Requirement =
  | Invariant
  | 'every transaction ends with an outcome'
  | 'only a reservation that was forgotten or has expired is refused'
  | 'transactions are executed again after each kill and after the restore'
  | 'idle containers use less than 3 % of a core';

export const requirements = [
  'every transaction ends with an outcome',
  'only a reservation that was forgotten or has expired is refused',
  'one outcome',
  'retry gets the outcome',
  'executed once',
  'gas adds up',
  'audit is exact',
  'pool is full again',
  'nothing breaks by itself',
  'transactions are executed again after each kill and after the restore',
  'idle containers use less than 3 % of a core',
] as const satisfies readonly Requirement[];

export interface Violation {
  readonly requirement: Requirement;
  /** A sentence with the digest or container. */
  readonly detail: string;
}

/** A load and its outcomes. */
export interface Seen {
  readonly calls: readonly SponsoredCall[];
  /** Calls under way when Redis forgot their reservations. */
  readonly forgotten: ReadonlySet<SponsoredCall>;
  readonly landed: ReadonlyMap<string, Landed>;
}

/** Transactions without an outcome, and transactions refused without a valid reason. */
export function findContainerViolations({ calls, forgotten, landed }: Seen): Violation[] {
  return calls.flatMap((call): Violation[] => {
    const [answer] = call.answers;
    if (!answer) {
      const where = landed.has(call.digest) ? 'the ledger executed it' : 'the ledger has none';
      const detail = `${call.digest} was never answered, ${where}`;
      return [{ requirement: 'every transaction ends with an outcome', detail }];
    }
    const mayHaveExpired = (call.waitedMs ?? 0) > SHORTEST_RESERVATION_MS;
    if (answer.kind === 'executed' || forgotten.has(call) || mayHaveExpired) return [];
    const detail = `${call.digest}: ${answer.status} ${answer.error}`;
    return [
      { requirement: 'only a reservation that was forgotten or has expired is refused', detail },
    ];
  });
}

/** Kills after which nothing was executed. */
export function findStandstills(kills: readonly Pick<Kill, 'names' | 'servedMs'>[]): Violation[] {
  return kills
    .filter(({ servedMs }) => servedMs === null)
    .map(({ names }) => ({
      requirement: 'transactions are executed again after each kill and after the restore',
      detail: names.join(' and '),
    }));
}

/** Whether idle containers use more of a core than permitted. */
export function findIdleViolations(uses: readonly ContainerUse[]): Violation[] {
  const percent = uses.reduce((sum, use) => sum + use.percentOfCore, 0);
  if (percent < MAX_WHEN_IDLE) return [];
  const requirement = 'idle containers use less than 3 % of a core';
  return [{ requirement, detail: `all together use ${percent.toFixed(2)} %` }];
}
