import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import type { CheckpointRange, EventsIndex, EventsIndexHole } from '@forecourt/contracts';
import { callRoute } from '../terminal/call-route.js';
import { type Connection, readConnection } from '../terminal/connection-config.js';
import { EXIT } from '../terminal/exit-codes.js';
import { formatJson, formatTable } from '../terminal/format-table.js';
import { readNumber } from '../terminal/read-arguments.js';

const PATH = '/v1/events_index';
const LOOK_EVERY_MS = 1_000;
const MIB = 2 ** 20;

interface Options {
  readonly first?: string;
  readonly last?: string;
  readonly json?: boolean;
}

/** `events status` and `events backfill`. */
export function eventsIndexCommands(): Command[] {
  return [statusCommand(), backfillCommand()];
}

function statusCommand(): Command {
  return new Command('status')
    .description('how far the index of events reaches, and what is missing (role operator)')
    .option('--json', 'for programs')
    .action(async ({ json }: Options) => {
      const index = await readIndex(readConnection());
      console.log(json ? formatJson(index) : formatIndex(index));
    });
}

function backfillCommand(): Command {
  return new Command('backfill')
    .description('read missing checkpoints now, and wait for them (role operator)')
    .option('--first <checkpoint>', 'the first checkpoint; default: that of the index')
    .option('--last <checkpoint>', 'the last checkpoint; default: that of the index')
    .option('--json', 'for programs: the index afterwards')
    .addHelpText(
      'after',
      `
A --first before the index lets the index begin there.

Exit code 0: nothing of the range is missing; 1: no ledger node delivers all of it.`,
    )
    .action(async (options: Options) => {
      const connection = readConnection();
      const range = readRange(options, await readIndex(connection));
      const index = await backfill(connection, range);
      if (options.json) console.log(formatJson(index));
      const left = holesIn(index, range);
      if (left.length === 0) return;
      console.error(formatHoles(left));
      process.exitCode = EXIT.negative;
    });
}

function readIndex(connection: Connection): Promise<EventsIndex> {
  return callRoute<EventsIndex>(connection, 'GET', PATH);
}

/** Throws `Error` for wrong numbers, and while the index is empty. */
function readRange({ first, last }: Options, index: EventsIndex): CheckpointRange {
  const { first_checkpoint: begin, last_checkpoint: newest } = index;
  if (begin === null || newest === null) throw new Error('The index of events has not begun yet');
  return {
    first_checkpoint: first === undefined ? begin : readNumber('--first', first),
    last_checkpoint: last === undefined ? newest : readNumber('--last', last),
  };
}

/** Resolves when nothing of the range is missing, or every attempt has failed. */
async function backfill(connection: Connection, range: CheckpointRange): Promise<EventsIndex> {
  let index = await callRoute<EventsIndex>(connection, 'POST', `${PATH}/backfill`, range);
  let lastMissing = -1;
  for (;;) {
    const holes = holesIn(index, range);
    const missing = holes.reduce((sum, hole) => sum + countOf(hole), 0);
    if (missing !== lastMissing) console.error(`${missing} checkpoints are missing`);
    lastMissing = missing;
    if (holes.every(({ retry_secs }) => retry_secs > 0)) return index;
    await delay(LOOK_EVERY_MS);
    index = await readIndex(connection);
  }
}

function holesIn({ holes }: EventsIndex, range: CheckpointRange): readonly EventsIndexHole[] {
  return holes.filter(
    ({ first_checkpoint, last_checkpoint }) =>
      first_checkpoint <= range.last_checkpoint && last_checkpoint >= range.first_checkpoint,
  );
}

const countOf = ({ first_checkpoint, last_checkpoint }: EventsIndexHole) =>
  last_checkpoint - first_checkpoint + 1;

/** The index as text for people. */
function formatIndex(index: EventsIndex): string {
  const { first_checkpoint: first, last_checkpoint: last, lag_checkpoints: lag, last_at } = index;
  const others = index.other_ledger_nodes;
  if (first === null || last === null) return 'The index of events has not begun yet.';
  const time = last_at === null ? '' : ` (${new Date(last_at).toISOString()})`;
  const facts = [
    ['checkpoints', `${first} to ${last}${time}`],
    ['cursors', `${index.first_cursor} to ${index.end_cursor}`],
    ['lag', lag === null ? 'no node of this ledger answers' : `${lag} checkpoints`],
    ...(others.length > 0 ? [['other ledger', `served by ${others.join(', ')}`]] : []),
    ['missing', `${index.missing_checkpoints} checkpoints`],
    ['size', `${(index.bytes / MIB).toFixed(1)} MiB`],
    ['written by', index.writer ?? 'none'],
  ];
  const table = formatTable(facts);
  return index.holes.length === 0 ? table : `${table}\n\n${formatHoles(index.holes)}`;
}

function formatHoles(holes: readonly EventsIndexHole[]): string {
  const rows = holes.map((hole) => [
    String(hole.first_checkpoint),
    String(hole.last_checkpoint),
    hole.reason,
    String(hole.attempts),
    hole.retry_secs === 0 ? 'now' : `in ${hole.retry_secs} s`,
    hole.detail,
  ]);
  return formatTable([['first', 'last', 'reason', 'attempts', 'next attempt', 'detail'], ...rows]);
}
