import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { assemble, readRecords, untilComplete, useIndexes } from './index.test-support.js';
import { TestLedger } from './test-ledger.test-support.js';
import { TestNode } from './test-node.test-support.js';
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

  it('shows an index that has not begun, and refuses requests about it', async () => {
    const node = new TestNode('node', new TestLedger());
    node.isDown = true;
    const { requests, database } = start({ databaseUrl: empty.url }, [node]);
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
    expect(database.replica).toBeNull();
  });

  it('lets an index begin earlier, and fills the past at once', async () => {
    const { ledger, node } = grown(60);
    const parts = start({ databaseUrl: shortened.url, indexFrom: 50 }, [node]);
    await untilComplete(parts, ledger);
    // Another replica, which does not write.
    const { requests, database } = assemble({ databaseUrl: shortened.url }, [node]);
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
    await database.close();
  });
});
