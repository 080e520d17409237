import { Module } from '@nestjs/common';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { AccessAudit } from './access-audit.js';
import { AccessFilesWatcher } from './access-files-watcher.js';
import { AccessPolicy, type AccessSettings } from './access-policy.js';
import { FleetReload } from './fleet-reload.js';
import { GatewayPresence } from './gateway-presence.js';
import { ReloadAccessRulesController } from './reload-access-rules.controller.js';

/** Tokens and access rules: which there are, what they decide, and reading them again. */
@Module({
  controllers: [ReloadAccessRulesController],
  providers: [
    AccessAudit,
    AccessFilesWatcher,
    FleetReload,
    GatewayPresence,
    {
      provide: AccessPolicy,
      inject: [GATEWAY_CONFIG, AccessAudit, LOGGER],
      useFactory: (config: AccessSettings, audit: AccessAudit, logger: Logger) =>
        AccessPolicy.load(config, audit, logger),
    },
  ],
  exports: [AccessPolicy],
})
export class AccessModule {}
