import { abort, type MoveLocation } from '../execution-failure.js';
import type { ExecutionSession } from '../execution-session.js';
import { U64_MAX } from '../gas-schedule.js';
import type { RuntimeObject } from '../runtime-values.js';
import { coinTypeOf } from '../type-tag.js';

/** The locations at which `balance::split` and `balance::join` abort. */
const SPLIT: MoveLocation = at('split', 7);
const JOIN: MoveLocation = at('join', 6);
const NOT_ENOUGH = 2n;
const OVERFLOW = 1n;

function at(functionName: string, functionIndex: number): MoveLocation {
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
