import { Transaction } from '@iota/iota-sdk/transactions';
import { expect, it } from '@jest/globals';
import { isSponsoredCall } from './sponsored-call.js';

const ALICE = `0x${'a11ce'.padStart(64, '0')}`;
const BUILD_CAR = '0xdec0::garage::build_car';

async function kindOf(fill: (tx: Transaction) => void): Promise<string> {
  const tx = new Transaction();
  fill(tx);
  return Buffer.from(await tx.build({ onlyTransactionKind: true })).toString('base64');
}

const call = (tx: Transaction, target: string) =>
  tx.moveCall({ target, arguments: [tx.pure.string('Mini'), tx.pure.address(ALICE)] });

it('sponsors the building of a car', async () => {
  expect(isSponsoredCall(await kindOf((tx) => void call(tx, BUILD_CAR)))).toBe(true);
});

it.each<[string, (tx: Transaction) => void]>([
  ['nothing', () => undefined],
  ['another function', (tx) => void call(tx, '0xdec0::garage::new_car')],
  ['another module', (tx) => void call(tx, '0xdec0::token::build_car')],
  ['another package', (tx) => void call(tx, '0xdec1::garage::build_car')],
  [
    'two cars',
    (tx) => {
      call(tx, BUILD_CAR);
      call(tx, BUILD_CAR);
    },
  ],
  [
    'a transfer beside the car',
    (tx) => {
      call(tx, BUILD_CAR);
      tx.transferObjects([tx.gas], ALICE);
    },
  ],
  [
    'an object that is only listed',
    (tx) => {
      call(tx, BUILD_CAR);
      tx.sharedObjectRef({ objectId: '0x6', initialSharedVersion: 1, mutable: true });
    },
  ],
  [
    'an object as an argument',
    (tx) => {
      const clock = { objectId: '0x6', initialSharedVersion: 1, mutable: false };
      const args = [tx.pure.string('Mini'), tx.sharedObjectRef(clock)];
      tx.moveCall({ target: BUILD_CAR, arguments: args });
    },
  ],
  ['coins of the sponsor', (tx) => void tx.splitCoins(tx.gas, [1])],
  ['a package', (tx) => void tx.publish({ modules: [[1]], dependencies: [] })],
])('does not sponsor %s', async (_name, fill) => {
  expect(isSponsoredCall(await kindOf(fill))).toBe(false);
});

it.each(['', 'AA==', '%%%', 'AAAA'.repeat(500)])('does not sponsor the bytes %j', (bytes) => {
  expect(isSponsoredCall(bytes)).toBe(false);
});
