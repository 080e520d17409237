import { useSystem } from './use-system.js';

/** For tests that need no settings of their own. */
export const system = useSystem({ gateways: 2 });
