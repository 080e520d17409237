import { useSystem } from './use-system.js';

/** For tests that need no settings of their own. */
export const system = useSystem({
  gateways: 2,
  executors: 2,
  tokens: ['first-token', 'second-token'],
});
