import type {
  IotaClient,
  IotaObjectDataOptions,
  IotaObjectResponse,
  PaginatedCoins,
} from '@iota/iota-sdk/client';
import { normalizeIotaAddress, normalizeStructTag } from '@iota/iota-sdk/utils';
import type { GasCoin, ShownCoin } from '../object-reference.js';
import { MAX_OBJECTS_PER_READ } from './limits.js';

const GAS_COIN_TYPE = normalizeStructTag('0x2::coin::Coin<0x2::iota::IOTA>');

/** See `Ledger.countGasCoins`. */
export async function countGasCoins(client: IotaClient, owner: string): Promise<bigint> {
  const { coinObjectCount } = await client.getBalance({ owner });
  return BigInt(coinObjectCount);
}

/** See `Ledger.listGasCoins`. */
export async function* listGasCoins(
  client: IotaClient,
  owner: string,
): AsyncIterable<readonly GasCoin[]> {
  let cursor: string | null | undefined = null;
  do {
    const page: PaginatedCoins = await client.getCoins({ owner, cursor });
    yield page.data.map((coin) => ({
      objectId: normalizeIotaAddress(coin.coinObjectId),
      version: Number(coin.version),
      digest: coin.digest,
      balance: BigInt(coin.balance),
    }));
    cursor = page.hasNextPage ? page.nextCursor : null;
  } while (cursor);
}

/** See `Ledger.readGasCoins`. */
export async function readGasCoins(
  client: IotaClient,
  owner: string,
  known: readonly Pick<GasCoin, 'objectId' | 'version'>[],
): Promise<Map<string, ShownCoin | 'gone'>> {
  const coins = new Map<string, ShownCoin | 'gone'>();
  const options = { showContent: true, showOwner: true, showPreviousTransaction: true };
  const ids = known.map(({ objectId }) => objectId);
  const responses = await readObjects(client, ids, options);
  known.forEach(({ objectId, version }, index) => {
    const response = responses[index]!;
    const shown = toGasCoin(response, owner);
    if (shown) coins.set(objectId, shown);
    else if (isGone(response, version)) coins.set(objectId, 'gone');
  });
  return coins;
}

/** Not while the node shows an older version, from before the coin became the owner's. */
function isGone({ data, error }: IotaObjectResponse, version: number): boolean {
  return data ? Number(data.version) > version : error?.code === 'deleted';
}

/** Reads objects in as few calls as the node allows, in the order asked. */
export async function readObjects(
  client: IotaClient,
  ids: readonly string[],
  options: IotaObjectDataOptions,
): Promise<IotaObjectResponse[]> {
  const responses: IotaObjectResponse[] = [];
  for (let from = 0; from < ids.length; from += MAX_OBJECTS_PER_READ) {
    const some = ids.slice(from, from + MAX_OBJECTS_PER_READ);
    responses.push(...(await client.multiGetObjects({ ids: some, options })));
  }
  return responses;
}

function toGasCoin({ data }: IotaObjectResponse, owner: string): ShownCoin | null {
  if (!data?.owner || typeof data.owner !== 'object' || !('AddressOwner' in data.owner))
    return null;
  if (normalizeIotaAddress(data.owner.AddressOwner) !== owner) return null;
  const { content } = data;
  if (content?.dataType !== 'moveObject') return null;
  if (normalizeStructTag(content.type) !== GAS_COIN_TYPE) return null;
  const { balance } = content.fields as unknown as { balance: string };
  return {
    objectId: normalizeIotaAddress(data.objectId),
    version: Number(data.version),
    digest: data.digest,
    balance: BigInt(balance),
    ...(data.previousTransaction && { changedBy: data.previousTransaction }),
  };
}
