import { mkdirSync, writeFileSync } from 'node:fs';
import { gatewayService } from '@forecourt/gateway/service';
import { Service } from '@forecourt/runtime/service';
import { renderGatewayTypes } from '@forecourt/testing/api-types';

/** A gateway that reaches nothing and does not listen describes its routes all the same. */
const NOWHERE = '127.0.0.1:1';
const { create } = gatewayService({
  REDIS_URL: `redis://${NOWHERE}`,
  LEDGER_URL: `http://${NOWHERE}`,
  ALLOW_UNAUTHENTICATED_FLEET: 'true',
  GAS_STATION_AUTH: 'none',
}).configure();
const { app } = await create(new Service({ name: 'gateway', logLevel: 'silent' }));
// These hooks would wait for Redis.
app.callBootstrapHook = async () => undefined;
await app.init();
const { payload } = await app.inject('/openapi.json');
mkdirSync('src/generated', { recursive: true });
writeFileSync('src/generated/gateway-types.ts', renderGatewayTypes(JSON.parse(payload)));
process.exit();
