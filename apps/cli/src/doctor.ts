import { examineNode } from '@forecourt/ledger';
import { readDoctorConfig } from './doctor/doctor-config.js';
import { formatFinding } from './doctor/format-finding.js';
import { EXIT } from './terminal/exit-codes.js';
import { runMain } from './terminal/run-main.js';

/** `doctor`: what a ledger node can do for this service. Exit 0: what is essential; 1: something is missing; 2: it failed. */
async function main(): Promise<number> {
  const config = readDoctorConfig();
  if (config === null) return EXIT.ok;
  let exitCode: number = EXIT.ok;
  for (const url of config.urls) {
    if (!config.json) console.log(`Node ${url}`);
    for await (const finding of examineNode({ url, headers: config.headers }, config.sponsors)) {
      console.log(config.json ? JSON.stringify({ url, ...finding }) : formatFinding(finding));
      if (finding.verdict === 'missing') exitCode = EXIT.negative;
    }
  }
  return exitCode;
}

await runMain(main);
