import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from '../limits.js';
import { type Finding, fine, notice } from './finding.js';
import { type Questions, textOf } from './questions.js';

interface Balance {
  readonly coinObjectCount: number;
  readonly totalBalance: string;
}

/** Balance and coins of a sponsor, and the number of small transactions that they pay for. */
export async function examineSponsor(questions: Questions, address: string): Promise<Finding[]> {
  try {
    const { coinObjectCount, totalBalance } = await questions.ask<Balance>('iotax_getBalance', [
      address,
    ]);
    const price = BigInt(await questions.ask<string>('iotax_getReferenceGasPrice'));
    const each = MIN_COMPUTATION_UNITS * price + COIN_STORAGE_COST;
    const transactions = BigInt(totalBalance) / each;
    const balance = `${totalBalance} in ${coinObjectCount} coins`;
    const count = `about ${transactions} transactions of the smallest computation that store one small object (${each} each)`;
    return [
      transactions > 0n
        ? fine(`sponsor ${address}`, balance, `Pays for ${count}`)
        : notice(`sponsor ${address}`, balance, 'Pays for no transaction: fund the sponsor'),
    ];
  } catch (error) {
    return [notice(`sponsor ${address}`, textOf(error), 'Balance unknown')];
  }
}
