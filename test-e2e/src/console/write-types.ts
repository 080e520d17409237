import { writeFileSync } from 'node:fs';
import { startSystem } from '@forecourt/testing/system';
import { renderTypesOf } from './client-types.js';

/** `npm run forecourt -- api-types` */
const system = await startSystem();
try {
  for (const [file, text] of await renderTypesOf(system.gatewayUrls[0]!)) writeFileSync(file, text);
} finally {
  await system.stop();
}
