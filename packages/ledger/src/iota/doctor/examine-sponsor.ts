import { listGasCoins } from '../coins/gas-coins.js';
import type { CallSender, RpcCall } from '../transport/node-transport.js';
import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from '../limits.js';
import { type Finding, fine, notice, type Questioner, textOf } from './questions.js';

interface Balance {
  readonly coinObjectCount: number;
  readonly totalBalance: string;
}

/** Balance and coins of a sponsor, and the number of small transactions that they pay for. */
export async function examineSponsor(questions: Questioner, address: string): Promise<Finding[]> {
  try {
    const balance = await questions.ask<Balance>('iotax_getBalance', [address]);
    const price = BigInt(await questions.ask<string>('iotax_getReferenceGasPrice'));
    return [describe(address, balance.coinObjectCount, BigInt(balance.totalBalance), price)];
  } catch (error) {
    return [unknown(address, error)];
  }
}

/** The same over gRPC, where nodes list coins and tell no balance. */
export async function examineListedCoins(questions: Questioner, address: string): Promise<Finding> {
  const send = ({ method, params }: RpcCall) => questions.ask<unknown>(method, params);
  try {
    const state = await questions.ask<{ referenceGasPrice: string }>(
      'iotax_getLatestIotaSystemState',
    );
    const coins = new Map<string, bigint>();
    const confirmed = <T>(reads: (node: CallSender) => Promise<T>) => reads({ send });
    for await (const page of listGasCoins({ confirmed }, address)) {
      for (const { objectId, balance } of page) coins.set(objectId, balance);
    }
    const sum = [...coins.values()].reduce((total, balance) => total + balance, 0n);
    return describe(address, coins.size, sum, BigInt(state.referenceGasPrice));
  } catch (error) {
    return unknown(address, error);
  }
}

function describe(address: string, coins: number, sum: bigint, price: bigint): Finding {
  const each = MIN_COMPUTATION_UNITS * price + COIN_STORAGE_COST;
  const transactions = sum / each;
  const balance = `${sum} in ${coins} coins`;
  const count = `about ${transactions} transactions of the smallest computation that store one small object (${each} each)`;
  return transactions > 0n
    ? fine(`sponsor ${address}`, balance, `Pays for ${count}`)
    : notice(`sponsor ${address}`, balance, 'Pays for no transaction: fund the sponsor');
}

function unknown(address: string, error: unknown): Finding {
  return notice(`sponsor ${address}`, textOf(error), 'Balance unknown');
}
