import type { Gateways } from '../../chaos/call-gateway.js';
import { findViolations } from '../../chaos/find-violations.js';
import type { LedgerScan } from '../../chaos/ledger-scan.js';
import type { Answer, SponsoredCall } from '../../chaos/sponsored-call.js';
import { retry } from '../../chaos/sponsor-once.js';
import type { ComposeProject } from './compose-project.js';
import { findContainerViolations, type Violation } from './find-container-violations.js';
import { untilComplete } from './until-complete.js';

const MAX_RETRIES = 200;
const RETRIES_MS = 120_000;
/** Longer than clients reserve. */
const COMPLETE_MS = 180_000;
/** `POOL_MIN_COINS`, below which the pool makes new ones. */
const MIN_COINS = 250;

interface Judging {
  readonly project: ComposeProject;
  readonly scan: LedgerScan;
  readonly gateways: Gateways;
  readonly calls: readonly SponsoredCall[];
  /** Calls under way when Redis forgot their reservations. */
  readonly forgotten: ReadonlySet<SponsoredCall>;
  /** Whether Redis's totals come from a backup, which is behind the ledger. */
  readonly isRestored: boolean;
}

/** Compares the clients' outcomes, the ledger and the audit after a load. */
export async function judgeRound(judging: Judging): Promise<readonly Violation[]> {
  const { project, scan, gateways, calls, forgotten, isRestored } = judging;
  const retries = await retryAll(gateways, calls);
  const { audit, missing } = await untilComplete(project, MIN_COINS, COMPLETE_MS);
  await scan.readOn();
  const gas = { ledger: scan.gasCharged, pool: BigInt(audit.totals.gasCharged) };
  const violations = findViolations({
    calls,
    retries,
    landed: scan.landed,
    audit: { exact: audit.isExact, text: audit.differences.join('; ') || 'the totals differ' },
    orders: { orders: [], arrived: () => 0, afterLosses: 0 },
    history: [],
    submissions: {},
    gas: isRestored ? { ledger: 0n, pool: 0n } : gas,
    recoveryMs: missing === '' ? 0 : null,
    held: missing,
    losses: isRestored ? [{ from: 0, to: Infinity }] : [],
    surprises: gateways.surprises,
  });
  const seen = { calls, forgotten, landed: scan.landed };
  const texts = violations.map(({ invariant, detail }) => ({ requirement: invariant, detail }));
  return [...texts, ...findContainerViolations(seen)];
}

/** Repeats executed calls; an evenly chosen sample if they are many. */
async function retryAll(gateways: Gateways, calls: readonly SponsoredCall[]) {
  const executed = calls.filter(({ answers }) => answers[0]?.kind === 'executed');
  const every = Math.max(1, Math.ceil(executed.length / MAX_RETRIES));
  const retries = new Map<SponsoredCall, Answer | null>();
  const givenUp = AbortSignal.timeout(RETRIES_MS);
  for (let index = 0; index < executed.length; index += every) {
    retries.set(executed[index]!, await retry(gateways, executed[index]!, givenUp));
  }
  return retries;
}
