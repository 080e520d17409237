import { Module } from '@nestjs/common';
import { type Logger, LOGGER, ReplicaPresence, ReplicasModule } from '@forecourt/runtime/service';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { AccessAudit } from './access-audit.js';
import { AccessFilesWatcher } from './access-files-watcher.js';
import { AccessPolicy } from './access-policy.js';
import type { AccessSettings } from './access-sources.js';
import { CallerController } from './caller.controller.js';
import { CallerLimits } from './caller-limits.js';
import { FleetReload } from './fleet-reload.js';
import { GatewayPresence } from './gateway-presence.js';
import { OperatorActions } from './operator-actions.js';
import { OperatorActionsController } from './operator-actions.controller.js';
import { PauseOrders } from './pause-orders.js';
import { Pauses } from './pauses.js';
import { ReloadAccessRulesController } from './reload-access-rules.controller.js';
import { RequestAdmission } from './request-admission.js';
import { RateLimits } from './rate-limits.js';
import { RequestAuthorization } from './request-authorization.js';

/** Callers and their limits, the access rules and their reload, and the pauses. */
@Module({
  imports: [ReplicasModule],
  controllers: [CallerController, OperatorActionsController, ReloadAccessRulesController],
  providers: [
    AccessAudit,
    AccessFilesWatcher,
    CallerLimits,
    FleetReload,
    GatewayPresence,
    OperatorActions,
    PauseOrders,
    Pauses,
    RateLimits,
    RequestAdmission,
    RequestAuthorization,
    {
      provide: AccessPolicy,
      inject: [GATEWAY_CONFIG, AccessAudit, LOGGER],
      useFactory: (config: AccessSettings, audit: AccessAudit, logger: Logger) =>
        AccessPolicy.load(config, audit, logger),
    },
  ],
  exports: [AccessAudit, AccessPolicy, CallerLimits, OperatorActions, PauseOrders, Pauses],
})
export class AccessModule {
  constructor(presence: ReplicaPresence, policy: AccessPolicy) {
    presence.announceWith(() => ({ accessVersion: policy.describe().version }));
  }
}
