import { auditPool, listSponsors, type PoolAudit } from '@forecourt/coin-store';
import { createIotaLedger } from '@forecourt/ledger';
import { ledgerOptions } from '@forecourt/runtime/ledger';
import { readAuditConfig } from './audit/audit-config.js';
import { connectStore } from './audit/connect-store.js';
import { auditToJson, printAudit } from './audit/print-audit.js';

const DIFFERS = 1;
const FAILED = 2;

/** `audit [--json]`: compares every pool with the ledger. Exit 0: no difference; 1: they differ; 2: the audit failed. */
async function main(): Promise<number> {
  const config = readAuditConfig();
  const redis = await connectStore(config);
  try {
    const ledger = createIotaLedger(ledgerOptions(config));
    const audits: PoolAudit[] = [];
    const sponsors = [...(await listSponsors(redis)).values()];
    if (sponsors.length === 0)
      throw new Error('the Redis at REDIS_URL holds no pool: check REDIS_URL');
    for (const sponsor of sponsors) {
      audits.push(await auditPool(redis, ledger, sponsor));
    }
    const json = process.argv.includes('--json');
    console.log(json ? auditToJson(audits) : audits.map(printAudit).join('\n\n'));
    return audits.some(({ differences }) => differences.length > 0) ? DIFFERS : 0;
  } finally {
    redis.disconnect();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = FAILED;
}
