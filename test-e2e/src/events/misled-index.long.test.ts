import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { getAllEvents } from '../support/events-client.js';
import { FaithfulClient } from '../support/faithful-client.js';
import { ForeignNetwork } from '../support/foreign-network.js';
import { buildCar } from '../support/ledger-user.js';
import { type Connections, NodeRelay } from '../support/node-relay.js';
import { system } from '../support/systems/grpc-system.js';
import { nodeAlone, useEvents, useLedgerUser } from '../support/use-events.js';
import { untilIndexed, useIndexedEvents } from '../support/use-indexed-events.js';

const FOREIGN_EPOCHS = 5;
const TRANSACTIONS = 3;

const user = useLedgerUser(system);
/** The truth: straight from the node, without an index. */
const node = useEvents(() => nodeAlone(system));
const drive = async () => {
  for (let count = 0; count < TRANSACTIONS; count++) {
    await user.run((tx) => buildCar(tx, 'Mini', user.address));
  }
};

describe.each([
  ['JSON-RPC', 'json-rpc', () => system.ledgerUrl],
  ['gRPC', 'grpc', () => system.nodeUrl],
] as const)('an index whose node is behind a proxy, over %s', (_name, dialect, home) => {
  const relay = useStarted(
    () => NodeRelay.start(home()),
    (one) => one.stop(),
  );
  const foreign = useStarted(
    () => ForeignNetwork.start(dialect),
    (network) => network.stop(),
  );
  const indexed = useIndexedEvents(() => relay.url);

  it.each<Connections>(['kept', 'broken'])(
    'holds the events of its ledger alone after the proxy has led elsewhere, connections %s',
    async (connections) => {
      await drive();
      const before = await getAllEvents(node.url, 'All', 1_000);
      await untilIndexed(indexed.url, before.at(-1)!);
      const client = new FaithfulClient(indexed.url, before.at(-1)!.id);
      const running = client.run();
      relay.leadTo(foreign.nodeUrl, connections);
      for (let epochs = 0; epochs < FOREIGN_EPOCHS; epochs++) {
        await foreign.control.advanceEpoch();
        await drive();
      }
      relay.leadHome(connections);
      await drive();
      const everything = await getAllEvents(node.url, 'All', 1_000);
      await untilIndexed(indexed.url, everything.at(-1)!);
      const found = await getAllEvents(indexed.url, 'All', 1_000);
      const live = everything.length - before.length;
      await client.until(() => client.received.length >= live);
      client.stop();
      await running;
      const ids = (records: typeof found) => records.map(({ id, txDigest }) => [id, txDigest]);
      expect(ids(found.slice(0, everything.length))).toEqual(ids(everything));
      expect(ids(client.received.slice(0, live))).toEqual(ids(everything.slice(before.length)));
    },
  );
});
