import { describe, expect, it } from '@jest/globals';
import { usePostgres } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { readRecords, untilComplete, useIndexes } from './index.test-support.js';
import type { IndexParts } from './assemble-index.js';
import { TestLedger } from './test-ledger.test-support.js';
import { TestNode } from './test-node.test-support.js';
import { readLedger } from './store/indexed-ledger.js';

/** Ours, and another network in the form of ours: its numbers and positions continue ours. */
function twoNetworks(checkpoints: number) {
  const [ours, other] = [new TestLedger(), new TestLedger(0, 'other')];
  ours.grow(checkpoints);
  other.grow(checkpoints);
  return { ours, other, node: new TestNode('node', ours) };
}

const { start, stopAll } = useIndexes();

const untilElsewhere = ({ progress }: IndexParts) =>
  waitUntil(async () => progress.otherLedger, { what: 'the other network' });

describe.each([
  ['although the node names the right one all the time', 'chain', true],
  ['as the node says', 'another', true],
  ['in a dialect without digests, as the node says', 'another', false],
])('an index whose node leads to another network, %s', (_when, identifier, showsDigests) => {
  const postgres = usePostgres();

  it('has no event of it, says so meanwhile, and continues when the node is right again', async () => {
    const { ours, other, node } = twoNetworks(30);
    node.showsDigests = showsDigests;
    const parts = start({ databaseUrl: postgres.url }, [node]);
    await untilComplete(parts, ours);
    for (let visit = 0; visit < 3; visit++) {
      Object.assign(node, { ledger: other, identifier });
      other.grow(20);
      await untilElsewhere(parts);
      Object.assign(node, { ledger: ours, identifier: 'chain' });
      ours.grow(7);
      await untilComplete(parts, ours);
      expect(parts.progress.otherLedger).toBe(false);
    }
    expect(await readRecords(parts)).toEqual(ours.records);
  });
});

describe('holes of an index whose node leads to another network', () => {
  const postgres = usePostgres();

  it('are filled with events of the right one', async () => {
    const { ours, other, node } = twoNetworks(3_000);
    const parts = start({ databaseUrl: postgres.url }, [node]);
    const { pool } = parts.database.primary;
    const readMissing = async () => (await parts.requests.read()).missing_checkpoints;
    await waitUntil(async () => (await readLedger(pool).catch(() => null)) !== null, {
      what: 'the beginning',
    });
    for (let visit = 0; visit < 3; visit++) {
      const before = await readMissing();
      await waitUntil(async () => (await readMissing()) < before || before === 0, {
        what: 'some of the past',
      });
      Object.assign(node, { ledger: other, identifier: 'another' });
      other.grow(1);
      await untilElsewhere(parts);
      Object.assign(node, { ledger: ours, identifier: 'chain' });
      ours.grow(1);
      // A failure of the node delays the next attempt.
      await pool.query('UPDATE events.holes SET retry_at = now()');
    }
    await untilComplete(parts, ours);
    expect(await readRecords(parts)).toEqual(ours.records);
  });
});

describe('an index whose end a node without digests has written from another network', () => {
  const postgres = usePostgres();

  it('has it replaced once a node shows digests', async () => {
    const { ours, other, node } = twoNetworks(130);
    node.showsDigests = false;
    const mixed = start({ databaseUrl: postgres.url }, [node]);
    await untilComplete(mixed, ours);
    // Both networks have the same number of transactions in each checkpoint.
    other.grow(30);
    node.ledger = other;
    await untilComplete(mixed, other);
    expect(await readRecords(mixed)).not.toEqual(ours.records);
    await stopAll();
    ours.grow(31);
    Object.assign(node, { ledger: ours, showsDigests: true });
    const parts = start({ databaseUrl: postgres.url }, [node]);
    await untilComplete(parts, ours);
    expect(await readRecords(parts)).toEqual(ours.records);
  });
});

describe('an index that has nothing in common with the node', () => {
  const postgres = usePostgres();

  it('is kept as it is, even if the node names its ledger', async () => {
    const { ours, other, node } = twoNetworks(40);
    const parts = start({ databaseUrl: postgres.url }, [node]);
    await untilComplete(parts, ours);
    await stopAll();
    node.ledger = other;
    other.grow(10);
    for (const linked of ['linked_digest', 'NULL']) {
      const again = start({ databaseUrl: postgres.url }, [node]);
      await again.database.primary.pool.query(`UPDATE events.ledger SET linked_digest = ${linked}`);
      await untilElsewhere(again);
      expect(await readRecords(again)).toEqual(ours.records);
      await stopAll();
    }
  });
});
