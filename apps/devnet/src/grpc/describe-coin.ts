import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  CoinTreasury_SupplyState,
  type GetCoinInfoRequest,
  type GetCoinInfoResponseSchema,
  RegulatedCoinMetadata_CoinRegulatedState,
} from '@forecourt/ledger/node-messages';
import { normalizeStructTag, parseStructTag } from '@iota/iota-sdk/utils';
import { fromHexId } from '../engine/hash.js';
import { derivedId } from '../methods/chain/show-system-state.js';
import { GrpcCode } from './grpc-codes.js';
import { failure, invalidField, missingField } from './grpc-status.js';
import type { ServedNode } from './served-node.js';
import { wrongStructType } from './struct-type.js';

const IOTA = normalizeStructTag('0x2::iota::IOTA');
/** As the genesis of every network has it. */
const METADATA = {
  decimals: 9,
  name: 'IOTA',
  symbol: 'IOTA',
  description: 'The main (gas)token of the IOTA Network.',
  iconUrl: 'https://iota.org/logo.png',
};

/**
 * A coin's metadata and supply. On this ledger only IOTA has them: packages that are published here do not
 * run, so that they create no coins, and the demo's token has no metadata. Throws `GrpcFailure`.
 */
export function describeCoin(
  { fullNode }: Pick<ServedNode, 'fullNode'>,
  { coinType }: GetCoinInfoRequest,
): MessageInitShape<typeof GetCoinInfoResponseSchema> {
  if (coinType === undefined) throw missingField('coin_type', 'coin_type is required');
  if (readType(coinType) !== IOTA) {
    const text = `No coin info found for type ${coinType} — CoinMetadata or TreasuryCap may not be published`;
    throw failure(GrpcCode.notFound, text);
  }
  return {
    coinType,
    metadata: { id: idOf('coin metadata'), ...METADATA },
    treasury: {
      id: idOf('treasury cap'),
      totalSupply: fullNode.systemState().totalSupply,
      supplyState: CoinTreasury_SupplyState.FIXED,
    },
    regulatedMetadata: {
      coinRegulatedState: RegulatedCoinMetadata_CoinRegulatedState.UNREGULATED,
    },
  };
}

function readType(text: string): string {
  try {
    return normalizeStructTag(parseStructTag(text));
  } catch {
    throw invalidField('coin_type', `invalid coin_type: ${wrongStructType(text)}`);
  }
}

function idOf(object: string) {
  return { objectId: fromHexId(derivedId(object)) };
}
