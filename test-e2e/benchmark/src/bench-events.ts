import { readChoiceOption, readNumberOption } from '@forecourt/testing/options';
import { benchMatching } from './bench-matching.js';
import { benchIndex } from './event-index/bench-index.js';
import { benchFanOut } from './fan-out/bench-fan-out.js';
import type { Row } from './row.js';
import { runBenchmark, say } from './run-benchmark.js';

const PARTS = ['matching', 'fan-out', 'index'] as const;
const HELP = `npm run bench -- events [--only ${PARTS.join('|')}] [--soak-seconds <n>] [--events <n>] [--quick]

  matching  subscriptions that match an event, beside a loop over all filters
  fan-out   events to a thousand WebSockets, beside a bare broadcast; --soak-seconds with slow clients follow
            (default 30; 600 for the ten minutes of the target)
  index     writes ten million events in the mix of a public network to an index in a private PostgreSQL while a
            client queries; then pages by every criterion, in both orders, at the beginning, the middle and the
            end, the size, and the delay of new events; --events changes the number, --quick writes 300000
The index takes about an hour on two cores, the others about three minutes.`;

await runBenchmark({
  help: HELP,
  options: {
    soakSeconds: { type: 'string', default: '30' },
    only: { type: 'string' },
    events: { type: 'string', default: '10000000' },
    quick: { type: 'boolean', default: false },
  },
  async measure({ only, soakSeconds, events, quick }) {
    const rows: Row[] = [];
    const parts = only === undefined ? PARTS : [readChoiceOption('only', PARTS, only)];
    for (const part of parts) {
      say(`${part} …`);
      if (part === 'matching') rows.push(...benchMatching());
      if (part === 'fan-out') rows.push(...(await benchFanOut(Number(soakSeconds))));
      if (part === 'index') {
        rows.push(...(await benchIndex(readNumberOption('events', events), quick)));
      }
    }
    return { rows };
  },
});
