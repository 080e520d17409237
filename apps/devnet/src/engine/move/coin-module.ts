import { abort, type MoveLocation, type RuntimeObject, rawU64 } from '../execution-values.js';
import type { ExecutionSession } from '../execution-session.js';
import { U64_MAX } from '../gas-schedule.js';
import { coinTypeOf } from '../type-tag.js';
import { moveFunction as fn, asValue, objectOf, u64Of, type MoveModule } from '../move-module.js';
import { fullId } from '../hash.js';

/** The locations at which `balance::split` and `balance::join` abort. */
const SPLIT: MoveLocation = locationIn('split', 7);

const JOIN: MoveLocation = locationIn('join', 6);

const NOT_ENOUGH = 2n;

const OVERFLOW = 1n;

function locationIn(functionName: string, functionIndex: number): MoveLocation {
  const packageId = `0x${'2'.padStart(64, '0')}`;
  return { packageId, module: 'balance', functionName, functionIndex };
}

export function balanceOf(coin: RuntimeObject): bigint {
  return coin.values.balance as bigint;
}

/** Splits a new coin of `amount` from `coin`; aborts like `balance::split` when its balance is less. */
export function splitCoin(
  session: ExecutionSession,
  coin: RuntimeObject,
  amount: bigint,
): RuntimeObject {
  if (balanceOf(coin) < amount) throw abort(SPLIT, NOT_ENOUGH);
  coin.values.balance = balanceOf(coin) - amount;
  return session.createCoin(coinTypeOf(coin.type)!, amount);
}

/** Adds `source`'s balance to `coin` and deletes `source`. */
export function joinCoin(
  session: ExecutionSession,
  coin: RuntimeObject,
  source: RuntimeObject,
): void {
  const sum = balanceOf(coin) + balanceOf(source);
  if (sum > U64_MAX) throw abort(JOIN, OVERFLOW);
  coin.values.balance = sum;
  session.delete(source);
}

const COIN = '0x2::coin::Coin<T0>';

const CONTEXT = '&mut 0x2::tx_context::TxContext';

const T = { typeParameters: [[]] };

const NON_ZERO = 0n;

/** The framework's module `coin`. */
export const COIN_MODULE: MoveModule = {
  packageId: fullId('0x2'),
  name: 'coin',
  types: [
    {
      name: 'Coin',
      typeParameters: 1,
      fields: [
        ['id', '0x2::object::UID'],
        ['balance', '0x2::balance::Balance<T0>'],
      ],
    },
  ],
  functions: [
    fn('value', { ...T, parameters: [`&${COIN}`], returns: ['u64'] }, ({ values: [coin] }) => [
      rawU64(balanceOf(objectOf(coin))),
    ]),
    fn(
      'split',
      { ...T, parameters: [`&mut ${COIN}`, 'u64', CONTEXT], returns: [COIN] },
      ({ session, values: [coin, amount] }) => [
        asValue(splitCoin(session, objectOf(coin), u64Of(amount))),
      ],
    ),
    fn(
      'join',
      { ...T, parameters: [`&mut ${COIN}`, COIN], isEntry: true },
      ({ session, values: [coin, other] }) => {
        joinCoin(session, objectOf(coin), objectOf(other));
        return [];
      },
    ),
    fn(
      'divide_into_n',
      { ...T, parameters: [`&mut ${COIN}`, 'u64', CONTEXT], returns: [`vector<${COIN}>`] },
      ({ session, values: [coin, count], location }) => {
        const parts = u64Of(count);
        if (parts === 0n) throw abort(location, 1n);
        if (parts > balanceOf(objectOf(coin))) throw abort(location, 2n);
        const share = balanceOf(objectOf(coin)) / parts;
        const objects = [];
        for (let made = 1n; made < parts; made++) {
          session.facts.meter.charge(10n);
          objects.push(splitCoin(session, objectOf(coin), share));
        }
        return [{ kind: 'objects', element: objectOf(coin).type, objects }];
      },
    ),
    fn('zero', { ...T, parameters: [CONTEXT], returns: [COIN] }, ({ session, typeArguments }) => [
      asValue(session.createCoin(typeArguments[0]!, 0n)),
    ]),
    fn('destroy_zero', { ...T, parameters: [COIN] }, ({ session, values: [coin], location }) => {
      if (balanceOf(objectOf(coin)) !== 0n) throw abort(location, NON_ZERO);
      session.delete(objectOf(coin));
      return [];
    }),
  ],
};
