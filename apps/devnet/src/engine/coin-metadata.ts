import type { CoinMetadata } from './engine-interface.js';
import { TOKEN_TYPE } from './move/demo-package.js';
import { IOTA } from './type-tag.js';

const METADATA = new Map<string, CoinMetadata>([
  [
    IOTA,
    {
      id: null,
      decimals: 9,
      name: 'IOTA',
      symbol: 'IOTA',
      description: 'The main (gas) token of the IOTA Network.',
      iconUrl: 'https://iota.org/logo.png',
    },
  ],
  [
    TOKEN_TYPE,
    {
      id: null,
      decimals: 6,
      name: 'Demo token',
      symbol: 'DEMO',
      description: 'Any account may mint it.',
      iconUrl: null,
    },
  ],
]);

export function coinMetadataOf(coinType: string): CoinMetadata | null {
  return METADATA.get(coinType) ?? null;
}
