import { LedgerEvents, LedgerEventsError, type StoredEventRecord } from '@forecourt/client';
import { afterEach, describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { type ServiceProcess, waitUntil } from '@forecourt/testing/system';
import { IotaClient } from '@iota/iota-sdk/client';
import { NodeRelay } from '../support/node-relay.js';
import { startEvents } from '../support/start-events.js';
import { startOneMore } from '../support/start-one-more.js';

const CHECKPOINTS = { EventType: 'Checkpoint' } as const;
const REASON = /is of another ledger|is ahead of the ledger|serves a different ledger/;

const started: { stop(): unknown }[] = [];
async function stopping<T extends { stop(): unknown }>(start: Promise<T>): Promise<T> {
  const one = await start;
  started.push(one);
  return one;
}
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.stop();
});

/** A ledger that has just begun, and makes a checkpoint in each interval. */
const beginLedger = (checkpointMs: string): Promise<ServiceProcess> =>
  startOneMore('devnet', (port) => ({
    DEVNET_RPC_PORT: port,
    DEVNET_CHECKPOINT_MS: checkpointMs,
    DEVNET_FAUCET_PORT: 'off',
    DEVNET_CONTROL_PORT: 'off',
  }));

/** Waits until a ledger has more checkpoints than another one. */
async function untilLonger(ledger: ServiceProcess, than: ServiceProcess): Promise<void> {
  const newest = async ({ url }: ServiceProcess) =>
    Number(await new IotaClient({ url }).getLatestCheckpointSequenceNumber());
  await waitUntil(async () => (await newest(ledger)) > (await newest(than)), {
    what: 'the longer ledger',
  });
}

const newestAt = async (url: string): Promise<StoredEventRecord> => {
  const page = await new LedgerEvents({ url }).readPage('All', { descending: true, pageSize: 1 });
  return page.data[0]!;
};

describe('a client that stays open while the system is started again with a new ledger', () => {
  const former = useStarted(
    () => beginLedger('500'),
    (devnet) => devnet.stop(),
  );

  it.each([
    ['that is behind its position', 'started again', 'off'],
    ['that is already beyond its position', 'started again', '50'],
    ['under a service that goes on', 'kept', '50'],
  ])(
    'is told why its subscription and its query end, at a ledger %s',
    async (_name, service, ms) => {
      const relay = await stopping(NodeRelay.start(former.url));
      const events = await stopping(startEvents({ EVENTS_UPSTREAMS: relay.url }));
      const client = new LedgerEvents({ url: events.url });
      const { nextCursor } = await client.readPage('All', { pageSize: 5 });

      const seen: StoredEventRecord[] = [];
      const connected: number[] = [];
      const following = (async () => {
        const onConnect = () => connected.push(seen.length);
        for await (const record of client.subscribe(CHECKPOINTS, { onConnect })) seen.push(record);
      })();
      const error = following.then(
        () => null,
        (reason: unknown) => reason,
      );
      await waitUntil(async () => seen.length >= 3, { what: 'three events' });
      const next = await stopping(beginLedger(ms));
      if (ms !== 'off') await untilLonger(next, former);
      if (service === 'started again') await events.stop();
      relay.leadTo(next.url, 'broken');
      if (service === 'started again') await events.start();

      const reason = await error;
      expect(reason).toBeInstanceOf(LedgerEventsError);
      expect((reason as Error).message).toMatch(REASON);
      expect(connected).toHaveLength(1);
      const page = client.readPage('All', { cursor: nextCursor });
      await expect(page).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringMatching(REASON),
      });
      const again = await newestAt(events.url);
      expect(again.txDigest).not.toBe(seen.at(-1)!.txDigest);
    },
  );
});
