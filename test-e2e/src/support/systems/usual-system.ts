import { useSharedSystem } from '../use-system.js';

/** The origin whose pages may call the API. */
export const PAGE_ORIGIN = 'https://app.example.com';

/** For tests without special settings. */
export const system = useSharedSystem('usual', {
  gateways: 2,
  executors: 2,
  tokens: ['first-token', 'second-token'],
  env: { CORS_ORIGINS: PAGE_ORIGIN },
});
