import { auditPool, listSponsors, type PoolAudit, readNetwork } from '@forecourt/coin-store';
import { createIotaLedger } from '@forecourt/ledger';
import { ledgerOptions } from '@forecourt/runtime/ledger';
import { Command } from 'commander';
import { readAuditConfig } from '../terminal/command-config.js';
import { connectStore } from '../audit/connect-store.js';
import { formatAudit } from '../audit/format-audit.js';
import { EXIT } from '../terminal/exit-codes.js';
import { formatJson } from '../terminal/format-table.js';

/** `audit`: compares every pool with the ledger. */
export function auditCommand(): Command {
  return new Command('audit')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Compares the coins of every pool, in the Redis at REDIS_URL, with those on the ledger at LEDGER_URL. While npm start runs, both
are those of its system unless the environment names others. Changes nothing.

Exit code 0: no difference; 1: they differ; 2: the audit failed.`,
    )
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const audits = await auditPools();
      console.log(json ? formatJson(audits) : audits.map(formatAudit).join('\n\n'));
      if (audits.some(({ differences }) => differences.length > 0))
        process.exitCode = EXIT.negative;
    });
}

async function auditPools(): Promise<readonly PoolAudit[]> {
  const config = readAuditConfig();
  const redis = await connectStore(config);
  try {
    const sponsors = [...(await listSponsors(redis)).values()];
    if (sponsors.length === 0) {
      throw new Error('the Redis at REDIS_URL holds no pool: check REDIS_URL');
    }
    const findNetwork = () => readNetwork(redis, sponsors);
    const ledger = createIotaLedger({ ...ledgerOptions(config), findNetwork });
    const audits: PoolAudit[] = [];
    for (const sponsor of sponsors) audits.push(await auditPool(redis, ledger, sponsor));
    return audits;
  } finally {
    redis.disconnect();
  }
}
