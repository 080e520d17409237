import { abort } from '../execution-values.js';
import {
  addressOf,
  bytesOf,
  moveFunction as fn,
  objectOf,
  objectsOf,
  u64Of,
  type MoveModule,
  type NativeCall,
} from '../move-module.js';
import { fullId } from '../hash.js';
import { balanceOf, joinCoin, splitCoin } from './coin-module.js';

const COIN = '0x2::coin::Coin<T0>';
const CONTEXT = '&mut 0x2::tx_context::TxContext';
const UNITS_PER_COIN = 10n;

function entry(parameters: string[], run: (call: NativeCall) => void, name: string) {
  return fn(name, { parameters, isEntry: true, typeParameters: [[]] }, (call) => {
    run(call);
    return [];
  });
}

function splitTo({ session, values: [coin] }: NativeCall, amount: bigint, recipient: string) {
  session.facts.meter.charge(UNITS_PER_COIN);
  session.transfer(splitCoin(session, objectOf(coin), amount), { AddressOwner: recipient });
}

function divide(call: NativeCall): void {
  const parts = u64Of(call.values[1]);
  const balance = balanceOf(objectOf(call.values[0]));
  if (parts === 0n) throw abort(call.location, 1n);
  if (parts > balance) throw abort(call.location, 2n);
  for (let made = 1n; made < parts; made++) {
    splitTo(call, balance / parts, call.session.facts.sender);
  }
}

function joinAll({ session, values: [coin, others] }: NativeCall): void {
  for (const other of objectsOf(others)) joinCoin(session, objectOf(coin), other);
}

/** The framework's module `pay`: new coins belong to the sender unless a recipient is given. */
export const PAY_MODULE: MoveModule = {
  packageId: fullId('0x2'),
  name: 'pay',
  functions: [
    entry(
      [COIN, CONTEXT],
      ({ session, values: [coin] }) =>
        session.transfer(objectOf(coin), { AddressOwner: session.facts.sender }),
      'keep',
    ),
    entry(
      [`&mut ${COIN}`, 'u64', CONTEXT],
      (call) => splitTo(call, u64Of(call.values[1]), call.session.facts.sender),
      'split',
    ),
    entry(
      [`&mut ${COIN}`, 'vector<u64>', CONTEXT],
      (call) => {
        for (const amount of u64sOf(call)) splitTo(call, amount, call.session.facts.sender);
      },
      'split_vec',
    ),
    entry(
      [`&mut ${COIN}`, 'u64', 'address', CONTEXT],
      (call) => splitTo(call, u64Of(call.values[1]), addressOf(call.values[2])),
      'split_and_transfer',
    ),
    entry([`&mut ${COIN}`, 'u64', CONTEXT], divide, 'divide_and_keep'),
    entry([`&mut ${COIN}`, 'u64', CONTEXT], divide, 'split_n'),
    entry(
      [`&mut ${COIN}`, COIN],
      ({ session, values: [coin, other] }) => joinCoin(session, objectOf(coin), objectOf(other)),
      'join',
    ),
    entry([`&mut ${COIN}`, `vector<${COIN}>`], joinAll, 'join_vec'),
    entry(
      [`vector<${COIN}>`, 'address'],
      ({ session, values: [coins, recipient], location }) => {
        const [first, ...others] = objectsOf(coins);
        if (!first) throw abort(location, 0n);
        for (const other of others) joinCoin(session, first, other);
        session.transfer(first, { AddressOwner: addressOf(recipient) });
      },
      'join_vec_and_transfer',
    ),
  ],
};

function u64sOf({ values: [, amounts] }: NativeCall): bigint[] {
  const bytes = bytesOf(amounts);
  const count = bytes.length >>> 3;
  const start = bytes.length - count * 8;
  return Array.from({ length: count }, (_, index) => bytes.readBigUInt64LE(start + index * 8));
}
