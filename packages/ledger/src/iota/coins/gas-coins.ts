import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import { normalizeIotaAddress, normalizeStructTag } from '@iota/iota-sdk/utils';
import type { GasCoin, ShownCoin } from '../../object-reference.js';
import { readCheckpointTime } from '../nodes/ledger-status.js';
import { NodeAnswer } from '../answers/node-answer.js';
import type { CoinPage, NodeClient } from '../client/node-client.js';
import { isDeletedSince, readObjects } from '../objects/read-objects.js';
import { NodeFailure } from '../transport/node-failure.js';
import { readExecuted } from '../transactions/find-transaction.js';

const GAS_COIN_TYPE = normalizeStructTag('0x2::coin::Coin<0x2::iota::IOTA>');

/** Pages that are read together, since each reading asks for the network twice. */
const PAGES_TOGETHER = 10;

/** Reads coins at one node; see `LedgerNodes.confirmed`. */
interface CoinSource {
  confirmed<T>(reads: (node: NodeClient) => Promise<T>): Promise<T>;
}

/** See `Ledger.listGasCoins`. */
export async function* listGasCoins(
  client: CoinSource,
  owner: string,
): AsyncIterable<readonly GasCoin[]> {
  const listed = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const from: string | null = cursor;
    const pages: readonly CoinPage[] = await client.confirmed((node) =>
      readCoinPages(node, owner, from, PAGES_TOGETHER),
    );
    for (const { coins, nextCursor } of pages) {
      const page = coins
        .map(({ coin }) => coin)
        .filter(({ objectId, version }) => {
          const isNew = version > (listed.get(objectId) ?? -1);
          if (isNew) listed.set(objectId, version);
          return isNew;
        });
      if (page.length === 0 && nextCursor !== null) throw withoutEnd();
      yield page;
    }
    cursor = pages.at(-1)!.nextCursor;
  } while (cursor !== null);
}

/** A node whose pages repeat themselves would be asked without end. */
function withoutEnd(): NodeFailure {
  const message =
    'getCoins: a page shows no coin that the pages before lack, but says that more follow';
  return new NodeFailure(message, { mayBeProcessed: false });
}

/** At least one page, and at most `count`, from the cursor on. */
async function readCoinPages(
  node: NodeClient,
  owner: string,
  from: string | null,
  count: number,
): Promise<readonly CoinPage[]> {
  const pages: CoinPage[] = [];
  let cursor = from;
  do {
    const page: CoinPage = await node.getCoins(owner, cursor);
    cursor = page.nextCursor;
    pages.push(page);
  } while (cursor !== null && pages.length < count);
  return pages;
}

/** The clock here may differ from the ledger's by this much. */
const LARGEST_CLOCK_ERROR_MS = 180_000;

/** See `Ledger.readGasCoins`. `client`: with `hadAt`, of one node. */
export async function readGasCoins(
  client: NodeClient,
  owner: string,
  known: readonly Pick<GasCoin, 'objectId' | 'version'>[],
  hadAt = Infinity,
): Promise<Map<string, ShownCoin | 'gone'>> {
  // The node's time first: what it does not show after that, it no longer has.
  const isSince =
    hadAt !== Infinity && (await readCheckpointTime(client)) > hadAt + LARGEST_CLOCK_ERROR_MS;
  const coins = new Map<string, ShownCoin | 'gone'>();
  const ids = known.map(({ objectId }) => objectId);
  const versions = new Map(
    known.flatMap(({ objectId, version }) => (version > 0 ? [[objectId, version]] : [])),
  );
  const responses = await readObjects(
    client,
    ids,
    ['content', 'owner', 'previousTransaction'],
    versions,
  );
  known.forEach(({ objectId, version }, index) => {
    const response = responses[index]!;
    const coin = toGasCoin(response, owner);
    if (coin) coins.set(objectId, coin);
    else if (isGone(response, version) || (isSince && isAbsent(response)))
      coins.set(objectId, 'gone');
  });
  return coins;
}

/** A node that has pruned a deletion, or cannot tell it, shows nothing. */
function isAbsent({ data, error }: IotaObjectResponse): boolean {
  return !data && error?.code === 'notExists';
}

/** False while the node shows an older version, from before the owner received the coin. */
function isGone({ data, error }: IotaObjectResponse, version: number): boolean {
  return data ? Number(data.version) > version : isDeletedSince(error, version);
}

function toGasCoin({ data }: IotaObjectResponse, owner: string): ShownCoin | null {
  if (!data?.owner || typeof data.owner !== 'object' || !('AddressOwner' in data.owner))
    return null;
  const answer = new NodeAnswer('getObjects', data, 'data');
  const address = answer.field('owner').field('AddressOwner').text();
  if (normalizeIotaAddress(address) !== owner) return null;
  const content = answer.field('content');
  if (content.isAbsent || content.field('dataType').raw !== 'moveObject') return null;
  if (normalizeStructTag(content.field('type').text()) !== GAS_COIN_TYPE) return null;
  return {
    objectId: normalizeIotaAddress(data.objectId),
    version: Number(data.version),
    digest: data.digest,
    balance: content.field('fields').field('balance').amount(),
    ...(data.previousTransaction && { changedBy: data.previousTransaction }),
  };
}

/** The search reads at most this many pages of coins. */
const MAX_PAGES = 10;

/** See `Ledger.hasPaidForGas`. */
export async function hasPaidForGas(node: NodeClient, owner: string): Promise<boolean> {
  const pages = await readCoinPages(node, owner, null, MAX_PAGES);
  const coins = pages.flatMap((page) => page.coins);
  if (pages.at(-1)!.nextCursor !== null) return true;
  const digests = new Set(coins.map(({ changedBy }) => changedBy));
  const changes = await readExecuted(node, [...digests]);
  // The owner of a transaction's gas coin afterwards says nothing: a coin that pays can be sent with its
  // transaction.
  const paidByOthers = [...changes.values()].filter(({ gasOwner }) => gasOwner !== owner);
  return paidByOthers.length < digests.size;
}
