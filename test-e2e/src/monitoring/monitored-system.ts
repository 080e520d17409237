import { useSystem } from '../use-system.js';

/** For tests of what a system shows of itself. */
export const system = useSystem({ events: 1, env: { POOL_AUDIT_MS: '500' } });
