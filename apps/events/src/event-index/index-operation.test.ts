import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { assemble, readRecords, untilComplete, useIndexes } from './index.test-support.js';
import { TestLedger, TestNode } from './ledger.test-support.js';
import { positionOf } from './store/indexed-ledger.js';

const { start } = useIndexes();

const range = (first_checkpoint: number, last_checkpoint: number) => ({
  first_checkpoint,
  last_checkpoint,
});

function grown(checkpoints: number) {
  const ledger = new TestLedger();
  ledger.grow(checkpoints);
  return { ledger, node: new TestNode('node', ledger) };
}

describe('operating the index of events', () => {
  const empty = usePostgres();
  const shortened = usePostgres();
  const changed = usePostgres();

  it('shows an index that has not begun, and refuses requests about it', async () => {
    const node = new TestNode('node', new TestLedger());
    node.isDown = true;
    const { requests, verification, database } = start({ databaseUrl: empty.url }, [node]);
    await waitUntil(async () => (await requests.read().catch(() => null))?.writer === 'events-1', {
      what: 'a writer',
    });
    expect(await requests.read()).toEqual({
      first_checkpoint: null,
      last_checkpoint: null,
      first_cursor: null,
      end_cursor: null,
      last_at: null,
      node_checkpoint: null,
      lag_checkpoints: null,
      missing_checkpoints: 0,
      holes: [],
      bytes: expect.any(Number),
      writer: 'events-1',
      other_ledger_nodes: [],
    });
    const refused = { code: 'INVALID_REQUEST', detail: expect.stringContaining('not begun') };
    await expect(requests.backfill(range(0, 1))).rejects.toMatchObject(refused);
    await expect(verification.verify(range(0, 1))).rejects.toMatchObject(refused);
    expect(database.replica).toBeNull();
  });

  it('lets an index begin earlier, and fills the past at once', async () => {
    const { ledger, node } = grown(60);
    const parts = start({ databaseUrl: shortened.url, indexFrom: 50 }, [node]);
    await untilComplete(parts, ledger);
    // Another replica, which does not write.
    const { requests, verification, database } = assemble({ databaseUrl: shortened.url }, [node]);
    const other = Object.assign(new TestNode('other', ledger), { identifier: 'another' });
    const strange = assemble({ databaseUrl: shortened.url }, [other]);
    await expect(strange.requests.backfill(range(0, 9))).rejects.toMatchObject({
      code: 'LEDGER_UNREACHABLE',
    });
    await strange.database.close();
    const idle = assemble({ databaseUrl: shortened.url, backfillWorkers: 0 }, [node]);
    await expect(idle.requests.backfill(range(0, 9))).rejects.toThrow('EVENTS_INDEX_BACKFILL is 0');
    await idle.database.close();
    await expect(requests.backfill(range(9, 3))).rejects.toThrow('last_checkpoint must be');
    await expect(requests.backfill(range(0, 60))).rejects.toThrow('ends with checkpoint 59');
    await expect(verification.verify(range(0, 59))).rejects.toThrow('begins with checkpoint 50');

    node.lowest = 5;
    await expect(requests.backfill(range(0, 9))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      detail: expect.stringContaining('nothing before checkpoint 5'),
    });
    expect(await requests.backfill(range(20, 59))).toMatchObject({
      first_checkpoint: 20,
      first_cursor: positionOf(ledger.starts[20]!),
      missing_checkpoints: 30,
      lag_checkpoints: 0,
      node_checkpoint: 59,
      holes: [{ first_checkpoint: 20, last_checkpoint: 49, reason: 'waiting', retry_secs: 0 }],
    });
    await untilComplete(parts, ledger);
    const held = ledger.records.filter(({ id }) => id.txSeq >= ledger.starts[20]!);
    expect(await readRecords(parts)).toEqual(held);
    expect(await verification.verify(range(20, 59))).toEqual({
      next_checkpoint: 60,
      events: held.length,
      missing_checkpoints: 0,
      node: 'node',
      difference_count: 0,
      differences: [],
    });

    await database.close();
  });

  it('compares the index with a node, apart from holes', async () => {
    const { ledger, node } = grown(40);
    const parts = start({ databaseUrl: changed.url }, [node]);
    await untilComplete(parts, ledger);
    node.isDown = true;
    ledger.grow(20);
    node.lowest = 50;
    node.isDown = false;
    const { pool } = parts.database.primary;
    await waitUntil(async () => (await parts.requests.read()).last_checkpoint === 59, {
      what: 'the end',
    });
    node.lowest = 0;
    const at = (index: number) => {
      const { id } = ledger.records[index]!;
      return positionOf(id.txSeq) + id.eventSeq;
    };
    await pool.query('DELETE FROM events.events WHERE position = $1', [at(3)]);
    await pool.query(`UPDATE events.events SET event = '{"checkpoint":7}' WHERE position = $1`, [
      at(5),
    ]);
    await pool.query(
      'DELETE FROM events.postings WHERE position = $1 AND ctid IN (SELECT ctid FROM events.postings WHERE position = $1 LIMIT 1)',
      [at(8)],
    );
    await pool.query(
      `INSERT INTO events.events SELECT position + 500, at, transaction, event FROM events.events WHERE position = $1`,
      [at(10)],
    );
    const found = await parts.verification.verify(range(0, 59));
    const { differences, ...rest } = found;
    expect(rest).toMatchObject({
      next_checkpoint: 60,
      difference_count: 4,
      missing_checkpoints: 10,
    });
    expect(differences).toEqual([
      { cursor: at(3), problem: 'missing', indexed: null, ledger: ledger.records[3] },
      expect.objectContaining({ cursor: at(5), problem: 'different', ledger: ledger.records[5] }),
      expect.objectContaining({ cursor: at(8), problem: 'unfindable' }),
      expect.objectContaining({ cursor: at(10) + 500, problem: 'extra', ledger: null }),
    ]);

    // The node has all of it by now.
    await parts.requests.backfill(range(0, 59));
    await untilComplete(parts, ledger);
    expect(await parts.verification.verify(range(40, 59))).toMatchObject({
      next_checkpoint: 60,
      missing_checkpoints: 0,
      difference_count: 0,
    });
    node.isDown = true;
    await expect(parts.verification.verify(range(0, 1))).rejects.toMatchObject({
      code: 'LEDGER_UNREACHABLE',
    });
  });
});
