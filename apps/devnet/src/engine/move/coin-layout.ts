import type { StructLayout } from '../move-value.js';

export const COIN_LAYOUT: StructLayout = {
  name: 'Coin',
  abilities: ['Store', 'Key'],
  typeParameters: 1,
  fields: [['balance', 'u64']],
};
