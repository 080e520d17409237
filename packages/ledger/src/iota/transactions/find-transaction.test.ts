import { afterEach, describe, expect, it } from '@jest/globals';
import { SOME_DIGEST as DIGEST, someEffects } from './effects.test-support.js';
import { findTransaction, waitForLocalExecution } from './find-transaction.js';
import { LedgerNodes } from '../nodes/ledger-nodes.js';
import { clientOf, type Response, StandInNode } from '../nodes/stand-in-node.test-support.js';

const OTHER = 'F9xdQM3hS3dPbJDTvxiKkXuE6o6sbGMDsMbjF8hqHDPQ';
const absent = `Could not find the referenced transaction [TransactionDigest(${DIGEST})].`;

let node: StandInNode;
afterEach(() => node.stop());
const start = async (response: Response) => (node = await StandInNode.start(() => response));

describe('findTransaction', () => {
  it.each([
    ['before August 2026', -32602, absent],
    ['since August 2026', -32003, absent],
    ['behind an indexer', -32603, `Indexer error: Transaction ${DIGEST} not found`],
  ])(
    'returns null for a transaction that a node does not find %s: code %d',
    async (_when, code, message) => {
      await start({ error: { code, message } });
      expect(await findTransaction(clientOf(node), DIGEST)).toBeNull();
    },
  );

  it.each([
    [-32601, 'Method not found'],
    [-32602, 'Invalid params: invalid length'],
    [-32603, 'Internal error'],
    [-32050, absent],
  ])('rejects for an error that does not prove absence: %d %s', async (code, message) => {
    await start({ error: { code, message } });
    await expect(findTransaction(clientOf(node), DIGEST)).rejects.toThrow(message);
  });

  it('returns the effects as the node sends them', async () => {
    const effects = someEffects({ somethingNew: [1] });
    await start({ result: { digest: DIGEST, effects } });
    expect(await findTransaction(clientOf(node), DIGEST)).toEqual({ digest: DIGEST, effects });
  });
});

describe('waitForLocalExecution', () => {
  it('ends when the node shows the transaction, and tolerates an outage of the node', async () => {
    const responses: Response[] = [
      { error: { code: -32602, message: absent } },
      { status: 503 },
      { result: { digest: OTHER, effects: someEffects({ transactionDigest: OTHER }) } },
      { result: { digest: DIGEST, effects: someEffects() } },
    ];
    node = await StandInNode.start(() => responses.shift()!);
    expect(await waitForLocalExecution(clientOf(node), DIGEST, 30_000)).toBe(true);
    expect(responses).toEqual([]);
  });

  it('ends in time if the node does not answer', async () => {
    await start('silence');
    const client = new LedgerNodes({ urls: [node.url], timeoutMs: 60_000 });
    expect(await waitForLocalExecution(client, DIGEST, 200)).toBe(false);
  });

  it('reads at most every 200 ms', async () => {
    await start({ error: { code: -32602, message: absent } });
    expect(await waitForLocalExecution(clientOf(node), DIGEST, 500)).toBe(false);
    expect(node.calls.length).toBeLessThanOrEqual(3);
  });
});
