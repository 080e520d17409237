import type { RpcMethod } from '../rpc-method.js';
import { readCoinType } from './get-coins.js';

export const getCoinMetadata: RpcMethod = {
  name: 'iotax_getCoinMetadata',
  params: ['coin_type'],
  summary: 'Name, symbol and decimals of a coin type; null when it has none.',
  run({ engine }, [coinType]) {
    return engine.getCoinMetadata(readCoinType(coinType));
  },
};

export const getTotalSupply: RpcMethod = {
  name: 'iotax_getTotalSupply',
  params: ['coin_type'],
  summary: 'Total supply of a coin type.',
  run({ engine }, [coinType]) {
    return { value: String(engine.getTotalSupply(readCoinType(coinType))) };
  },
};
