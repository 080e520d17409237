import type { CoinState } from '@forecourt/coin-store';
import type { ComposeProject } from './compose-project.js';

const PROGRAM = ['node', 'bin/forecourt.mjs', 'audit', '--json'];

/** The pool and the ledger in the audit's output; amounts are decimal strings in the smallest unit. */
export interface Audit {
  readonly isExact: boolean;
  readonly differences: readonly string[];
  readonly totals: {
    readonly coins: Readonly<Record<CoinState, string>>;
    readonly balance: Readonly<Record<CoinState, string>>;
    readonly gasCharged: string;
  };
  readonly ledger: { readonly coins: string; readonly balance: string };
}

/** Runs the audit in a coin-pool's container. Throws `Error` if it cannot compare. */
export async function readAudit(project: ComposeProject): Promise<Audit> {
  const { stdout, output } = await project.execute('coin-pool', PROGRAM);
  if (!stdout.startsWith('[')) throw new Error(`the audit failed: ${output.trimEnd()}`);
  const [audit, ...others] = JSON.parse(stdout) as Audit[];
  if (!audit || others.length > 0) throw new Error(`the audit shows no single pool: ${stdout}`);
  return audit;
}
