import { writeFileSync } from 'node:fs';
import { startSystem } from '@forecourt/testing/system';
import { GATEWAY_TYPES, renderTypesOf } from './gateway-types.js';

/** `npm run forecourt -- console-types` */
const system = await startSystem();
try {
  writeFileSync(GATEWAY_TYPES, await renderTypesOf(system.gatewayUrls[0]!));
} finally {
  await system.stop();
}
