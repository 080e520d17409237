import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventCriterion, StoredEventRecord } from '@forecourt/contracts';
import { usePostgres } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { createIotaSource } from '../upstreams/iota/iota-source.js';
import { readPage } from '../upstreams/iota/read-source.test-support.js';
import { digestOf, RealisticNode } from '../upstreams/iota/realistic-node.test-support.js';
import {
  nodeOptions,
  type Response,
  StandInServer,
} from '../upstreams/stand-in-server.test-support.js';
import type { IndexParts } from './assemble-index.js';
import { readAll, startIndex } from './index.test-support.js';
import { readLedger } from './store/indexed-ledger.js';

const CHECKPOINTS = 30;
const OBJECT: EventCriterion = { key: 'Object', value: `0x${'7'.repeat(64)}` };
const MODULE: EventCriterion = {
  key: 'MoveModule',
  value: { package: `0x${'abc'.padStart(64, '0')}`, module: 'garage' },
};
const PUBLISH: EventCriterion = { key: 'EventType', value: 'Publish' };
/** The first transaction of the ledger, and a later one. */
const PUBLISHING = [0, 17];

/**
 * Lets some transactions publish the package of their event, which `init` emits, instead of deleting an
 * object.
 */
function publish(response: Response): Response {
  if (!('result' in response) || !Array.isArray(response.result)) return response;
  const digests = PUBLISHING.map(digestOf);
  const result = (response.result as { readonly digest: string }[]).map((one) =>
    digests.includes(one.digest) && 'objectChanges' in one
      ? { ...one, effects: {}, objectChanges: [{ type: 'published', packageId: '0xabc' }] }
      : one,
  );
  return { result };
}

describe('the index of a node without an index of objects', () => {
  const postgres = usePostgres();
  const node = new RealisticNode({ checkpoints: CHECKPOINTS });
  let server: StandInServer;
  let parts: IndexParts;

  beforeAll(async () => {
    for (const name of ['ChangedObject', 'InputObject']) node.unsupported.add(name);
    server = await StandInServer.start((call) => publish(node.respond(call)));
    parts = startIndex({ databaseUrl: postgres.url }, [createIotaSource(nodeOptions(server))]);
    const { pool } = parts.database.primary;
    await waitUntil(
      async () => (await readLedger(pool).catch(() => null))?.end.checkpoint === CHECKPOINTS,
      { what: 'the index' },
    );
  });
  afterAll(async () => {
    await parts.index.beforeApplicationShutdown();
    await server.stop();
  });

  const find = (criterion: EventCriterion) =>
    readAll(parts, criterion, { limit: 7, descending: false });
  const txSeqsOf = (records: readonly StoredEventRecord[]) => records.map(({ id }) => id.txSeq);
  const ALL = Array.from({ length: CHECKPOINTS }, (_, txSeq) => txSeq);

  it('answers what the node refuses at once', async () => {
    const calls = server.calls.length;
    const source = createIotaSource(nodeOptions(server));
    await expect(readPage(source, OBJECT)).rejects.toThrow('no index for the criterion Object');
    expect(server.calls.length - calls).toBeLessThan(4);
    const deleting = ALL.filter((txSeq) => !PUBLISHING.includes(txSeq));
    expect(txSeqsOf(await find(OBJECT))).toEqual(deleting);
  });

  it('has the events that an init emits while its package is published', async () => {
    expect(txSeqsOf(await find(PUBLISH))).toEqual(PUBLISHING);
    const emitted = await find(MODULE);
    expect(txSeqsOf(emitted)).toEqual(ALL);
    expect(emitted[17]!.event).toMatchObject({ moveEvent: { transactionModule: 'garage' } });
    const transaction = { key: 'Transaction', value: emitted[17]!.txDigest } as const;
    const kinds = (await find(transaction)).map(({ event }) => Object.keys(event)[0]);
    expect(kinds).toEqual(['moveEvent', 'publish']);
  });
});
