import { abort } from '../execution-failure.js';
import { moveFunction as fn, asValue, objectOf, u64Of, type MoveModule } from '../move-module.js';
import { rawU64 } from '../runtime-values.js';
import { fullId } from '../hex.js';
import { balanceOf, joinCoin, splitCoin } from './change-coins.js';
import { COIN_LAYOUT } from './coin-layout.js';

const COIN = '0x2::coin::Coin<T0>';
const CONTEXT = '&mut 0x2::tx_context::TxContext';
const T = { typeParameters: [[]] };
const NON_ZERO = 0n;

/** The framework's module `coin`. */
export const COIN_MODULE: MoveModule = {
  packageId: fullId('0x2'),
  name: 'coin',
  structs: [COIN_LAYOUT],
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
