import { benchMatching } from './bench-matching.js';
import { benchFanOut } from './fan-out/bench-fan-out.js';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';

const HELP = `npm run bench -- events [--soak-seconds <n>] [--only matching|fan-out]

Measures matching and the fan-out to a thousand WebSockets, each beside a reference in the same run.
Takes about three minutes, and what --soak-seconds adds (default 30; 600 for the ten minutes of the
target). Pages: npm run bench -- index.`;

await runBenchmark({
  help: HELP,
  options: { soakSeconds: { type: 'string', default: '30' }, only: { type: 'string' } },
  async measure({ only, soakSeconds }) {
    const rows: Row[] = [];
    const wants = (part: string) => only === undefined || only === part;
    if (wants('matching')) {
      say('matching …');
      rows.push(...benchMatching());
    }
    if (wants('fan-out')) rows.push(...(await benchFanOut(Number(soakSeconds))));
    return { rows };
  },
});
