import type { Balance } from '../../engine/engine-interface.js';
import { readAddress } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { readCoinType } from './get-coins.js';

export const getBalance: RpcMethod = {
  name: 'iotax_getBalance',
  params: ['owner', 'coin_type'],
  summary: 'Sum and number of the coins of one type that an address owns.',
  run({ view }, [owner, coinType]) {
    return showBalance(view.getBalance(readAddress(owner, 'owner'), readCoinType(coinType)));
  },
};

export const getAllBalances: RpcMethod = {
  name: 'iotax_getAllBalances',
  params: ['owner'],
  summary: 'The same for every coin type the address owns.',
  run({ view }, [owner]) {
    return view.getAllBalances(readAddress(owner, 'owner')).map(showBalance);
  },
};

function showBalance({ coinType, coinObjectCount, totalBalance }: Balance): object {
  return { coinType, coinObjectCount, totalBalance: String(totalBalance) };
}
