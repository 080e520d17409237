import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { measureCheckout } from './other-programs.js';
import { benchRedisTime } from './redis-time/bench-redis-time.js';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';
import { benchDecoding } from './sponsoring/bench-decoding.js';
import { benchDialects } from './sponsoring/bench-dialects.js';
import { benchFilling } from './sponsoring/bench-filling.js';
import { benchLatency } from './sponsoring/bench-latency.js';
import { benchMemory } from './sponsoring/bench-memory.js';
import { benchProcesses } from './sponsoring/bench-processes.js';
import { benchReserving } from './sponsoring/bench-reserving.js';
import { benchScaling } from './sponsoring/bench-scaling.js';
import { benchThroughput } from './sponsoring/bench-throughput.js';
import { benchSigners } from './sponsoring/bench-signers.js';
import type { Effort } from './sponsoring/effort.js';

const parts: Readonly<Record<string, (effort: Effort) => Promise<Row[]>>> = {
  decode: benchDecoding,
  redis: benchRedisTime,
  reserve: benchReserving,
  sponsor: async (effort) => [...(await benchThroughput(effort)), ...(await benchDialects(effort))],
  processes: benchProcesses,
  scaling: benchScaling,
  signers: benchSigners,
  latency: benchLatency,
  memory: benchMemory,
  fill: benchFilling,
};
/** Parts whose reference is another set-up of the same code. */
const COMPARES_ITSELF = ['processes'];
/** Load average below which the figures are not affected. */
const QUIET = 0.5;
const HELP = `npm run bench -- sponsoring [--quick] [--only ${Object.keys(parts).join('|')}] [--requests <n>] [--coins <n>]
  [--before <folder>] [--json]

Starts whole systems and measures sponsoring, each figure beside a reference in the same run:
  decode   decoding a transaction, beside the SDK's parse
  redis    Redis's own time for a reservation and for a settlement
  reserve  reserve_gas from client to response
  processes  all services in one process beside separate ones: rate, processor time, memory
  sponsor  sponsored transactions per second, and processor time and Redis commands for one; processor time over gRPC,
           beside JSON-RPC
  scaling  four executors beside one, with a slow ledger
  signers  one executor with a key service that takes 50 ms, beside one with a local key
  latency  time that execute_tx adds to the ledger's own, and the number of requests to the ledger
  memory   memory that each process keeps after --requests requests (default 60000; 1000000 for the full run)
  fill     coins per second while a pool of --coins is filled (default 20000; 100000 for the full run)
Takes about ten minutes, with --quick about three. --before names the folder of another built checkout: each
part is measured there first, and the table has both. A checkout that is older than this option needs today's
test-e2e/benchmark. --json prints the table as JSON.
Ends with 1 when a target is missed.`;

/** A count given as an option. Throws `RangeError` for a malformed one. */
function readCount(option: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  if (/^[1-9]\d{2,8}$/.test(text)) return Number(text);
  throw new RangeError(`--${option} must be a whole number, 100 or more; got ${text}`);
}

function choose(only: string | undefined): string[] {
  if (only === undefined) return Object.keys(parts);
  if (Object.hasOwn(parts, only)) return [only];
  throw new RangeError(`--only must be one of ${Object.keys(parts).join(', ')}; got ${only}`);
}

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
    coins: { type: 'string' },
    before: { type: 'string' },
  },
  async measure({ quick, only, requests, coins, before: folder }) {
    const effort: Effort = {
      quick,
      say,
      requests: readCount('requests', requests, quick ? 20_000 : 60_000),
      coins: readCount('coins', coins, quick ? 5_000 : 20_000),
    };
    const chosen = choose(only);
    const busy = loadavg()[0]!;
    if (busy > QUIET) {
      say(`the machine is busy (load average ${busy.toFixed(1)}): expect times that are too long`);
    }
    const { requests: requested, coins: filled } = effort;
    const sizes = [`--requests=${requested}`, `--coins=${filled}`, ...(quick ? ['--quick'] : [])];
    const rows: Row[] = [];
    const before: Row[] = [];
    for (const part of chosen) {
      if (folder !== undefined && !COMPARES_ITSELF.includes(part)) {
        say(`${part}, before:`);
        before.push(...(await measureCheckout(folder, 'sponsoring', ['--only', part, ...sizes])));
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
