import { auditPool, listSponsors, type PoolAudit, readNetwork } from '@forecourt/coin-store';
import { createIotaLedger } from '@forecourt/ledger';
import { ledgerOptions } from '@forecourt/runtime/ledger';
import { readAuditConfig } from './audit/audit-config.js';
import { connectStore } from './audit/connect-store.js';
import { formatAudit } from './audit/format-audit.js';
import { EXIT } from './terminal/exit-codes.js';
import { formatJson } from './terminal/format-table.js';
import { runMain } from './terminal/run-main.js';

/** `audit [--json]`: compares every pool with the ledger. Exit 0: no difference; 1: they differ; 2: the audit failed. */
async function main(): Promise<number> {
  const config = readAuditConfig();
  const redis = await connectStore(config);
  try {
    const audits: PoolAudit[] = [];
    const sponsors = [...(await listSponsors(redis)).values()];
    if (sponsors.length === 0)
      throw new Error('the Redis at REDIS_URL holds no pool: check REDIS_URL');
    const findNetwork = () => readNetwork(redis, sponsors);
    const ledger = createIotaLedger({ ...ledgerOptions(config), findNetwork });
    for (const sponsor of sponsors) {
      audits.push(await auditPool(redis, ledger, sponsor));
    }
    const json = process.argv.includes('--json');
    console.log(json ? formatJson(audits) : audits.map(formatAudit).join('\n\n'));
    return audits.some(({ differences }) => differences.length > 0) ? EXIT.negative : EXIT.ok;
  } finally {
    redis.disconnect();
  }
}

await runMain(main);
