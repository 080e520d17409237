import type { EventId } from '@forecourt/contracts';
import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { SERVICE_SESSION } from '../upstreams/node-calls.js';
import type { IndexParts } from './assemble-index.js';
import {
  positionsOf,
  readAll,
  readRecords,
  select,
  untilComplete,
  useIndexes,
} from './index.test-support.js';
import { TestLedger } from './test-ledger.test-support.js';
import { TestNode } from './test-node.test-support.js';
import { IndexPartitions } from './store/index-partitions.js';
import { IndexWriter } from './writing/index-writer.js';
import { readHoles, readLedger } from './store/indexed-ledger.js';

const ALL = { key: 'All' } as const;

describe('writing the index of events', () => {
  const { started, start } = useIndexes();

  const untilWriter = (...all: IndexParts[]) =>
    waitUntil(async () => all.some(({ progress }) => progress.isWriter), { what: 'a writer' });

  describe('by several processes', () => {
    const postgres = usePostgres();

    it('writes each event once while writers and their sessions die', async () => {
      const ledger = new TestLedger();
      ledger.grow(50);
      const node = new TestNode('node', ledger);
      const config = { databaseUrl: postgres.url };
      const replicas = [start(config, [node]), start(config, [node]), start(config, [node])];
      for (let round = 0; round < 6; round++) {
        await untilWriter(...replicas);
        ledger.grow(40);
        const [writer, another] = replicas
          .slice()
          .sort((a, b) => Number(b.progress.isWriter) - Number(a.progress.isWriter));
        if (round % 2 === 0) {
          await another!.database.primary.pool.query(
            `SELECT pg_terminate_backend(pid) FROM pg_locks
             JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND datname = current_database()`,
          );
        } else {
          started.splice(started.indexOf(writer!), 1);
          await writer!.index.beforeApplicationShutdown();
          replicas[replicas.indexOf(writer!)] = start(config, [node]);
        }
      }
      await untilComplete(replicas[0]!, ledger);
      expect(positionsOf(await readRecords(replicas[0]!))).toEqual(positionsOf(ledger.records));
      expect(await readRecords(replicas[0]!)).toEqual(ledger.records);
    });

    it('writes nothing in a session that has lost its place', async () => {
      const ledger = new TestLedger();
      ledger.grow(3);
      const { database } = start({ databaseUrl: postgres.url, indexFrom: 'tip' }, []);
      const before = await readLedger(database.primary.pool);
      const writer = new IndexWriter(database, new IndexPartitions(database));
      const client = await database.primary.pool.connect();
      const first = { checkpoint: 1, position: 16_384 };
      const batch = {
        first,
        end: { checkpoint: 2, position: 32_768 },
        endAt: 1,
        records: ledger.records,
        empty: [],
      };
      await expect(writer.append(client, batch, null)).rejects.toThrow('Another process');
      client.release(true);
      expect(await readLedger(database.primary.pool)).toEqual(before);
    });
  });

  describe('from nodes that fail', () => {
    const postgres = usePostgres();

    it('continues at the next node when one fails, lags or serves another ledger', async () => {
      const ledger = new TestLedger();
      ledger.grow(30);
      const [bad, good] = [new TestNode('bad', ledger), new TestNode('good', ledger)];
      const parts = start({ databaseUrl: postgres.url }, [bad, good]);
      await untilComplete(parts, ledger);
      bad.isDown = true;
      ledger.grow(30);
      await untilComplete(parts, ledger);
      good.isDown = true;
      bad.isDown = false;
      bad.identifier = 'another';
      const other = new TestLedger(0, 'other');
      other.grow(500);
      bad.ledger = other;
      ledger.grow(10);
      await waitUntil(async () => parts.progress.otherLedger, { what: 'the other ledger' });
      good.isDown = false;
      await untilComplete(parts, ledger);
      // One of them stands still, behind a balancer for example.
      Object.assign(bad, { identifier: 'chain', ledger });
      good.lag = 40;
      ledger.grow(40);
      await untilComplete(parts, ledger);
      expect(await readRecords(parts)).toEqual(ledger.records);
    });
  });

  describe('of a pruned ledger', () => {
    const postgres = usePostgres();

    it('records what no node delivers as holes, says so in answers, and fills them from another node', async () => {
      const ledger = new TestLedger();
      ledger.grow(40);
      const node = new TestNode('pruned', ledger);
      node.lowest = 10;
      const archive = new TestNode('archive', ledger);
      archive.isDown = true;
      const nodes = [node];
      const parts = start({ databaseUrl: postgres.url, indexFrom: 'lowest' }, nodes);
      await untilComplete(parts, ledger);
      node.isDown = true;
      ledger.grow(60);
      node.lowest = 70;
      node.broken = ledger.starts[85]! + 1;
      node.isDown = false;
      const { pool } = parts.database.primary;
      await waitUntil(async () => (await readLedger(pool))!.end.checkpoint === 100, {
        what: 'the end',
      });
      const holes = await readHoles(pool);
      expect(
        holes.map(({ first, end, reason }) => [first.checkpoint, end.checkpoint, reason]),
      ).toEqual([
        [40, 70, 'pruned'],
        [85, 86, 'inconvertible'],
      ]);

      const held = (from: number, to: number) =>
        ledger.records.filter(
          ({ id }) => id.txSeq >= ledger.starts[from]! && id.txSeq < ledger.starts[to]!,
        );
      const page = (cursor: number | null, descending: boolean) => {
        const from = cursor === null ? null : { txSeq: cursor, eventSeq: 0 };
        const request = { criterion: ALL, cursor: from, limit: 1_000, descending };
        return parts.queries.getEvents(request, SERVICE_SESSION);
      };
      await expect(page(null, false)).rejects.toMatchObject({
        kind: 'pruned',
        data: { earliest: { checkpoint: 10, txSeq: ledger.starts[10] } },
      });
      await expect(page(ledger.starts[50]!, false)).rejects.toMatchObject({
        kind: 'gap',
        data: { hole: { firstCheckpoint: 40, lastCheckpoint: 69, reason: 'pruned' } },
      });
      await expect(page(ledger.starts[50]!, true)).rejects.toMatchObject({ kind: 'gap' });
      await expect(readAll(parts, ALL, { limit: 90, descending: true })).rejects.toMatchObject({
        kind: 'gap',
        data: { hole: { firstCheckpoint: 85 } },
      });
      const before = [];
      let cursor: EventId = { txSeq: ledger.starts[10]!, eventSeq: 0 };
      for (;;) {
        const part = await parts.queries
          .getEvents({ criterion: ALL, cursor, limit: 64, descending: false }, SERVICE_SESSION)
          .catch(() => null);
        if (part === null) break;
        before.push(...part.data);
        cursor = part.nextCursor!;
      }
      expect(before).toEqual(held(10, 40));
      expect(cursor).toEqual({ txSeq: ledger.starts[40]!, eventSeq: 0 });

      archive.isDown = false;
      node.broken = null;
      nodes.push(archive);
      await pool.query('UPDATE events.holes SET retry_at = now()');
      await untilComplete(parts, ledger);
      expect(positionsOf(await readRecords(parts))).toEqual(positionsOf(held(10, 100)));
      expect(await readRecords(parts)).toEqual(held(10, 100));
      const descending = await readAll(
        parts,
        { key: 'EventType', value: 'MoveEvent' },
        {
          limit: 50,
          descending: true,
        },
      ).catch((error: { data: unknown }) => error.data);
      expect(descending).toMatchObject({ earliest: { checkpoint: 10 } });
    });
  });

  describe('of a long ledger', () => {
    const postgres = usePostgres();

    it('fills the past in parallel beside the newest events', async () => {
      const ledger = new TestLedger();
      ledger.grow(3_000);
      const node = new TestNode('node', ledger);
      const parts = start({ databaseUrl: postgres.url, backfillWorkers: 3 }, [node]);
      const { pool } = parts.database.primary;
      await waitUntil(async () => (await readLedger(pool).catch(() => null)) !== null, {
        what: 'a start',
      });
      ledger.grow(100);
      await untilComplete(parts, ledger);
      expect(positionsOf(await readRecords(parts))).toEqual(positionsOf(ledger.records));
      const sender = { key: 'Sender', value: ledger.senderOf(0) } as const;
      const found = await readAll(parts, sender, { limit: 1_000, descending: true });
      expect(positionsOf(found)).toEqual(positionsOf(select(ledger.records, sender, true)));
      // Nothing was read twice.
      expect(node.delivered).toBeLessThan(1.2 * ledger.records.length);
    });
  });
});
