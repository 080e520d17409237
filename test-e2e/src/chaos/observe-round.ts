import type { Gateways } from './call-gateway.js';
import { compareHistory } from './compare-history.js';
import type { Observation } from './find-violations.js';
import type { RoundParts } from './run-round.js';
import type { LedgerScan } from './ledger-scan.js';
import type { Seeded } from '../support/seeded.js';
import type { Answer, SponsoredCall } from './sponsored-call.js';
import { retry } from './sponsor-once.js';

const MAX_RETRIES = 300;
const RETRIES_AT_ONCE = 8;
const RETRIES_MS = 60_000;

/** The pool and the ledger in the audit's output. */
interface PoolAudit {
  readonly sponsor: string;
  readonly differences: readonly string[];
  readonly totals: {
    readonly coins: Readonly<Record<string, string>>;
    readonly gasCharged: string;
  };
  readonly ledger: { readonly coins: string };
}

/**
 * Collects the data by which a round is judged. `calls`: those of all rounds, `latest`: those of this one.
 * `boundMs`: the longest permitted time until history has everything.
 */
export async function observeRound(
  { system, gateways, operator }: RoundParts,
  scan: LedgerScan,
  calls: readonly SponsoredCall[],
  latest: readonly SponsoredCall[],
  seeded: Seeded,
  boundMs: number,
): Promise<
  Omit<Observation, 'recoveryMs' | 'held' | 'losses' | 'surprises'> & { coinsLost: number }
> {
  // All comparisons use the current state of the ledger.
  await system.control.behaveLike({ lagMs: 0 });
  const retries = await retryAll(gateways, latest, seeded);
  await scan.readOn();
  const audit = await system.audit(['--json']);
  const pools = audit.exitCode === 2 ? [] : (JSON.parse(audit.stdout) as PoolAudit[]);
  const pool = pools.find(({ sponsor }) => sponsor === system.sponsor);
  const pooled = Object.values(pool?.totals.coins ?? {}).reduce((sum, n) => sum + Number(n), 0);
  return {
    audit: { exact: audit.exitCode === 0, text: describe(pools) || audit.output },
    calls,
    retries,
    landed: scan.landed,
    history: await compareHistory(system, calls, scan, boundMs),
    orders: await operator.read(),
    submissions: await system.control.submissions(),
    gas: { ledger: scan.gasCharged, pool: BigInt(pool?.totals.gasCharged ?? 0) },
    coinsLost: Math.max(0, Number(pool?.ledger.coins ?? 0) - pooled),
  };
}

function describe(pools: readonly PoolAudit[]): string {
  return pools.flatMap(({ differences }) => differences).join('; ');
}

/** Repeats calls with a known outcome; a sample if they are many. */
async function retryAll(gateways: Gateways, calls: readonly SponsoredCall[], seeded: Seeded) {
  const executed = calls.filter(({ answers }) => answers[0]?.kind === 'executed');
  const left = seeded.shuffle(executed).slice(0, MAX_RETRIES);
  const retries = new Map<SponsoredCall, Answer | null>();
  const givenUp = AbortSignal.timeout(RETRIES_MS);
  const retryOn = async () => {
    for (let call = left.pop(); call; call = left.pop()) {
      retries.set(call, await retry(gateways, call, givenUp));
    }
  };
  await Promise.all(Array.from({ length: RETRIES_AT_ONCE }, retryOn));
  return retries;
}
