import { auditPool, listSponsors, type PoolAudit, readNetwork } from '@forecourt/coin-store';
import { createIotaLedger } from '@forecourt/ledger';
import { ledgerOptions } from '@forecourt/runtime/ledger';
import { readAuditConfig } from './audit/audit-config.js';
import { connectStore } from './audit/connect-store.js';
import { formatAudit } from './audit/format-audit.js';
import { EXIT } from './terminal/exit-codes.js';
import { formatJson } from './terminal/format-table.js';
import { readOptions } from './terminal/read-options.js';
import { runMain } from './terminal/run-main.js';

const HELP = `npm run audit [-- --json]

Compares the coins of every pool, in the Redis at REDIS_URL, with those on the ledger at LEDGER_URL. While npm start runs, both
are those of its system. Changes nothing.

  --json   for programs

Exit code 0: no difference; 1: they differ; 2: the audit failed.`;

async function main(): Promise<number> {
  const options = readOptions(HELP, { json: { type: 'boolean', default: false } });
  if (options === null) return EXIT.ok;
  const { json } = options.values;
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
    console.log(json ? formatJson(audits) : audits.map(formatAudit).join('\n\n'));
    return audits.some(({ differences }) => differences.length > 0) ? EXIT.negative : EXIT.ok;
  } finally {
    redis.disconnect();
  }
}

await runMain(main);
