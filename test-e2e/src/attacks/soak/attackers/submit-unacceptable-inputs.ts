import { randomBytes } from 'node:crypto';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import {
  moveCall,
  ownedObject,
  type Program,
  receivedObject,
  sharedObject,
} from '../../../support/raw-transaction.js';
import type { Attacker } from '../attacker.js';

const SOME_DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const madeUpId = () => `0x${randomBytes(32).toString('hex')}`;
const reading = '0x2::clock::timestamp_ms';

/** Programs that every validator refuses, each with a different error text. */
const programs: readonly (() => Program)[] = [
  () => ({ inputs: [sharedObject('0x6', true)], commands: [moveCall(reading, [0])] }),
  () => ({ inputs: [sharedObject('0x6', false)], commands: [moveCall('0x6::clock::read', [0])] }),
  () => ({
    inputs: [receivedObject({ objectId: madeUpId(), version: 3, digest: SOME_DIGEST })],
    commands: [moveCall('0xdec0::garage::scrap', [0])],
  }),
  () => ({
    inputs: [ownedObject({ objectId: '0x2', version: 1, digest: SOME_DIGEST })],
    commands: [moveCall('0xdec0::garage::scrap', [0])],
  }),
  () => ({ inputs: [sharedObject('0x6', false, 7)], commands: [moveCall(reading, [0])] }),
  () => ({ inputs: [], commands: [] }),
  () => ({
    inputs: [],
    commands: [{ Publish: { modules: ['AAAA'], dependencies: [madeUpId()] } }],
  }),
];

/**
 * Gets the sponsor to sign transactions that no validator accepts: each locked coin is one less for other
 * callers.
 */
export const submitUnacceptableInputs: Attacker = {
  name: 'submit-unacceptable-inputs',
  aim: 'lock the pool’s coins until the epoch ends, at no cost',
  async run(_target, client) {
    const user = new Ed25519Keypair();
    let turn = 0;
    await client.repeat(100, async () => {
      const program = programs[turn++ % programs.length]!;
      const reply = await client.sponsor(user, program());
      if (reply === null) await client.pause(500);
    });
  },
};
