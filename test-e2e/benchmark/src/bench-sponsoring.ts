import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { readChoiceOption, readNumberOption } from '@forecourt/testing/options';
import { measureCheckout } from './measure-checkout.js';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';
import { benchLatency } from './sponsoring/bench-latency.js';
import { benchMemory } from './sponsoring/bench-memory.js';
import { benchReserving } from './sponsoring/bench-reserving.js';
import { benchDialects, benchProcesses } from './sponsoring/bench-side-by-side.js';
import { benchThroughput } from './sponsoring/bench-throughput.js';
import type { Effort } from './sponsoring/effort.js';

const parts: Readonly<Record<string, (effort: Effort) => Promise<Row[]>>> = {
  reserve: benchReserving,
  sponsor: benchThroughput,
  processes: benchProcesses,
  dialects: benchDialects,
  latency: benchLatency,
  memory: benchMemory,
};
/** Parts whose reference is another set-up of the same code. */
const COMPARES_ITSELF = ['processes', 'dialects'];
/** Load average below which the figures are not affected. */
const QUIET = 0.5;
const HELP = `npm run bench -- sponsoring [--quick] [--only ${Object.keys(parts).join('|')}] [--requests <n>]
  [--before <folder>] [--json]

Starts whole systems and measures sponsoring, each figure beside a reference in the same run:
  reserve    reserve_gas from client to response
  sponsor    sponsored transactions per second, and processor time, Redis's time and commands for one
  processes  all services in one process beside separate ones: rate, processor time, memory
  dialects   a node over gRPC beside one over JSON-RPC: the same figures
  latency    time that execute_tx adds to the ledger's own, and the number of requests to the ledger
  memory     memory that each process keeps after --requests requests (default 60000; 1000000 for the full run)
Takes at most ten minutes, with --quick about three. --before names the folder of another built checkout: each
part is measured there first, and the table has both. A checkout that is older than this option needs today's
test-e2e/benchmark. --json prints the table as JSON.
Ends with 1 when a target is missed.`;

/** Names the two versions of the code that were compared. */
function compared(folder: string): string {
  const commit = (cwd: string) =>
    execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd, encoding: 'utf8' }).trim();
  return `Before: commit ${commit(folder)}; after: ${commit('.')}; both measured part by part, in turn.`;
}

await runBenchmark({
  help: HELP,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    requests: { type: 'string' },
    before: { type: 'string' },
  },
  async measure({ quick, only, requests, before: folder }) {
    const effort: Effort = {
      quick,
      say,
      requests: readNumberOption('requests', requests ?? (quick ? '20000' : '60000')),
    };
    const names = Object.keys(parts);
    const chosen = only === undefined ? names : [readChoiceOption('only', names, only)];
    const busy = loadavg()[0]!;
    if (busy > QUIET) {
      say(`the machine is busy (load average ${busy.toFixed(1)}): expect times that are too long`);
    }
    const extent = [`--requests=${effort.requests}`, ...(quick ? ['--quick'] : [])];
    const rows: Row[] = [];
    const before: Row[] = [];
    for (const part of chosen) {
      if (folder !== undefined && !COMPARES_ITSELF.includes(part)) {
        say(`${part}, before:`);
        before.push(...(await measureCheckout(folder, 'sponsoring', ['--only', part, ...extent])));
        say(`${part}, after:`);
      }
      rows.push(...(await parts[part]!(effort)));
    }
    const load = `load average before the run ${busy.toFixed(1)}, after it ${loadavg()[0]!.toFixed(1)}`;
    const note = `${availableParallelism()} cores, Node ${process.version}; ${load}.`;
    if (folder === undefined) return { rows, note };
    return { rows, before, note: `${note} ${compared(folder)}` };
  },
});
