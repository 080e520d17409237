import { auditPool, listSponsors, type PoolAudit } from '@forecourt/coin-store';
import { createIotaLedger } from '@forecourt/ledger';
import { readAuditConfig } from './audit/audit-config.js';
import { connectStore } from './audit/connect-store.js';
import { auditToJson, printAudit } from './audit/print-audit.js';

const DIFFERS = 1;
const COULD_NOT_LOOK = 2;

/** `audit [--json]`: every pool against the ledger. Exit 0 when exact, 1 when something differs, 2 when it could not look. */
async function main(): Promise<number> {
  const config = readAuditConfig();
  const redis = await connectStore(config);
  try {
    const ledger = createIotaLedger({ url: config.ledgerReadUrl ?? config.ledgerUrl });
    const audits: PoolAudit[] = [];
    const sponsors = [...(await listSponsors(redis)).values()];
    if (sponsors.length === 0) throw new Error('the Redis at REDIS_URL holds no pool to look at');
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
  process.exitCode = COULD_NOT_LOOK;
}
