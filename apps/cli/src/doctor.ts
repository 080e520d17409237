import { examineNode } from '@forecourt/ledger';
import { HELP, readDoctorConfig } from './doctor/doctor-config.js';
import { printFinding } from './doctor/print-finding.js';

const MISSING = 1;
const FAILED = 2;

/** `doctor`: what a ledger node can do for this service. Exit 0: what is essential; 1: something is missing; 2: it failed. */
async function main(): Promise<number> {
  const config = readDoctorConfig();
  if (config === null) {
    console.log(HELP);
    return 0;
  }
  let exitCode = 0;
  for (const url of config.urls) {
    if (!config.json) console.log(`Node ${url}`);
    for await (const finding of examineNode({ url, headers: config.headers }, config.sponsors)) {
      console.log(config.json ? JSON.stringify({ url, ...finding }) : printFinding(finding));
      if (finding.verdict === 'missing') exitCode = MISSING;
    }
  }
  return exitCode;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = FAILED;
}
