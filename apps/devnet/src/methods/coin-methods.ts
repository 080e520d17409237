import { normalizeStructTag } from '@iota/iota-sdk/utils';
import { invalidParams } from '@forecourt/contracts';
import type { ObjectRecord, Page } from '../engine/engine-interface.js';
import { optional, readAddress, readLimit, readText } from '../json-rpc/read-params.js';
import type { RpcMethod } from './rpc-method.js';

const IOTA = '0x2::iota::IOTA';
const PAGE = 50;

export const getCoins: RpcMethod = {
  name: 'iotax_getCoins',
  params: ['owner', 'coin_type', 'cursor', 'limit'],
  summary: 'The coins of one type that an address owns, IOTA by default, page by page.',
  run({ view }, [owner, coinType, cursor, limit]) {
    const page = view.listCoins(readAddress(owner, 'owner'), readCoinType(coinType), {
      cursor: optional(cursor, 'cursor', readAddress),
      limit: readLimit(limit, PAGE),
    });
    return showPage(page);
  },
};

export const getAllCoins: RpcMethod = {
  name: 'iotax_getAllCoins',
  params: ['owner', 'cursor', 'limit'],
  summary: 'The coins of every type that an address owns, page by page.',
  run({ view }, [owner, cursor, limit]) {
    const page = view.listCoins(readAddress(owner, 'owner'), null, {
      cursor: optional(cursor, 'cursor', readAddress),
      limit: readLimit(limit, PAGE),
    });
    return showPage(page);
  },
};

/** A coin type in the short form in which nodes show it; IOTA's when none is given. */
function readCoinType(value: unknown): string {
  const text = optional(value, 'coin_type', readText);
  if (text === null) return IOTA;
  try {
    const full = normalizeStructTag(text);
    return full.replace(/0x0*([0-9a-f]{1,64})(?=::)/g, (_whole, digits: string) =>
      digits.length <= 2 ? `0x${digits}` : `0x${digits.padStart(64, '0')}`,
    );
  } catch {
    throw invalidParams(`Invalid params: coin_type: ${text} is not a struct tag`);
  }
}

function showPage(page: Page<ObjectRecord>): object {
  return { ...page, data: page.data.map(showCoin) };
}

function showCoin({ coin, objectId, version, digest, previousTransaction }: ObjectRecord): object {
  return {
    coinType: coin?.coinType,
    coinObjectId: objectId,
    version: String(version),
    digest,
    balance: String(coin?.balance),
    previousTransaction,
  };
}

export const getBalance: RpcMethod = {
  name: 'iotax_getBalance',
  params: ['owner', 'coin_type'],
  summary: 'Sum and number of the coins of one type that an address owns.',
  run({ view }, [owner, coinType]) {
    const type = readCoinType(coinType);
    const { coinObjectCount, totalBalance } = view.getBalance(readAddress(owner, 'owner'), type);
    return { coinType: type, coinObjectCount, totalBalance: String(totalBalance) };
  },
};
