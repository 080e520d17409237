import { describe, expect, it } from '@jest/globals';
import type { StoredEventRecord } from '@forecourt/contracts';
import { getAllEvents, getEvents, recordsAfter } from '../support/events-client.js';
import { FaithfulClient, keepLedgerBusy } from '../support/faithful-client.js';
import { untilIndexed } from '../support/use-indexed-events.js';
import { nodeAlone, useEvents, useLedgerUser } from '../support/use-events.js';
import { useSystem } from '../support/use-system.js';

/** Of each fault. */
const ROUNDS = 2;

const system = useSystem((files) => ({
  lagMs: 0,
  events: 2,
  eventIndex: true,
  postgres: 'new',
  env: {
    POOL_TARGET_COINS: '10',
    POOL_MIN_COINS: '5',
    DEVNET_DATA_DIR: files.path,
    // Empty checkpoints have events as well.
    DEVNET_CHECKPOINT_MS: '100',
  },
}));
const user = useLedgerUser(system);
/** Without an index. */
const node = useEvents(() => nodeAlone(system));

async function kill(app: 'devnet' | 'events', replica: number): Promise<void> {
  const service = system.services(app)[replica]!;
  service.kill();
  await service.exited();
  await service.start();
}

async function killPostgres(): Promise<void> {
  const server = system.postgres();
  server.kill('SIGKILL');
  await system.until(async () => !server.running);
  await server.start();
}

/** Removes all but the newest checkpoints from the node. Returns the oldest that is left. */
async function prune(): Promise<number> {
  const [newest] = (await getEvents(node.url, { EventType: 'Checkpoint' }, null, 1, true)).data;
  return system.control.prune((newest!.event as { checkpoint: number }).checkpoint - 20);
}

/** Every event of a pruned node. */
async function keptByNode(): Promise<StoredEventRecord[]> {
  const error = await getEvents(node.url, 'All').catch((reason: Error) => reason);
  const [, earliest] = /is cursor (\d+)/.exec((error as Error).message)!;
  return getAllEvents(node.url, 'All', 1_000, null, Number(earliest));
}

function checkpointsOf(records: readonly Pick<StoredEventRecord, 'event'>[]): number[] {
  return records.flatMap(({ event }) => ('checkpoint' in event ? [event.checkpoint] : []));
}

describe('events with an index', () => {
  it('are neither missed nor repeated while writers, PostgreSQL and the node are killed, and the node is pruned', async () => {
    const gateway = system.application.url;
    const newest = async () => (await getEvents(gateway, 'All', null, 1, true)).data[0]!;
    await system.until(async () => (await newest().catch(() => null)) !== null);
    const start = (await newest()).id;
    const client = new FaithfulClient(gateway, start);
    const running = client.run();
    const load = keepLedgerBusy(user);
    const more = (count: number) => {
      const seen = client.received.length;
      return client.until(() => client.received.length >= seen + count);
    };
    await more(5);
    for (let round = 0; round < ROUNDS; round++) {
      for (const fault of [
        () => kill('events', 0),
        killPostgres,
        () => kill('events', 1),
        () => kill('devnet', 0),
      ]) {
        await fault();
        await more(3 + Math.floor(Math.random() * 20));
      }
    }
    await untilIndexed(gateway, client.received.at(-1)!);
    const lowest = await prune();
    await more(10);
    await load.stop();
    const [last] = (await getEvents(node.url, 'All', null, 1, true)).data;
    await client.until(() => (client.received.at(-1)?.id.txSeq ?? 0) >= last!.id.txSeq);
    client.stop();
    await running;
    await untilIndexed(gateway, last!);

    // A subscriber that was away meanwhile gets from the index what the node has pruned.
    const returning = new FaithfulClient(gateway, start);
    const returned = returning.run();
    await returning.until(() => returning.received.length >= client.received.length);
    returning.stop();
    await returned;
    expect(returning.received.slice(0, client.received.length)).toEqual(client.received);

    const kept = await keptByNode();
    await untilIndexed(gateway, kept.at(-1)!);
    const all = await getAllEvents(gateway, 'All');
    expect(recordsAfter(all, start).slice(0, client.received.length)).toEqual(client.received);
    const numbers = checkpointsOf(all);
    expect(numbers).toEqual(numbers.map((_number, index) => index));
    expect(lowest).toBeGreaterThan(0);
    const place = ({ id, timestamp, txDigest, event }: StoredEventRecord) => {
      return { id, timestamp, txDigest, kind: Object.keys(event)[0] };
    };
    const end = all.length - recordsAfter(all, kept.at(-1)!.id).length;
    expect(all.slice(0, end).slice(-kept.length).map(place)).toEqual(kept.map(place));
    // The ids of empty checkpoints name the transaction before them, which the node may have pruned.
    const pruned = all.findIndex(({ event }) => checkpointsOf([{ event }])[0] === lowest - 1) + 1;
    expect(checkpointsOf(all.slice(pruned, end - kept.length))).toHaveLength(
      end - kept.length - pruned,
    );
  });
});
