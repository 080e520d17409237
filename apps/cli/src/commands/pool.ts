import { Command } from 'commander';
import { coinStates, listSponsors, type PoolTotals, readPoolTotals } from '@forecourt/coin-store';
import { formatAmount } from '@forecourt/ledger';
import { readAuditConfig } from '../terminal/command-config.js';
import { connectStore } from '../audit/connect-store.js';
import { formatJson, formatTable } from '../terminal/format-table.js';

/** `pool`: the coins of every sponsor by state, as Redis has them. */
export function poolCommand(): Command {
  return new Command('pool')
    .option('--json', 'for programs')
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const redis = await connectStore(readAuditConfig());
      try {
        const pools: { sponsor: string; totals: PoolTotals }[] = [];
        for (const sponsor of (await listSponsors(redis)).values()) {
          pools.push({ sponsor, totals: await readPoolTotals(redis, sponsor) });
        }
        if (json) return console.log(formatJson(pools));
        if (pools.length === 0) return console.log('The Redis at REDIS_URL holds no pool.');
        console.log(pools.map(formatPool).join('\n\n'));
      } finally {
        redis.disconnect();
      }
    });
}

function formatPool({ sponsor, totals }: { sponsor: string; totals: PoolTotals }): string {
  const rows = coinStates.map((state) => [
    state,
    String(totals.coins[state]),
    formatAmount(totals.balance[state]),
  ]);
  return `Sponsor ${sponsor}\n${formatTable([['state', 'coins', 'balance'], ...rows])}`;
}
