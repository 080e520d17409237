import { randomUUID } from 'node:crypto';
import { type DynamicModule, Module } from '@nestjs/common';
import type { ExecuteTransactionJob } from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { LEDGER, LedgerModule } from '@forecourt/runtime/ledger';
import type { Metrics } from '@forecourt/runtime/metrics';
import { EXECUTION_QUEUE, ExecutionQueueModule } from '@forecourt/runtime/queue';
import type { RedisConnection } from '@forecourt/runtime/redis';
import {
  createLogger,
  HealthModule,
  ledgerIndicator,
  type Logger,
  LOGGER,
  queueIndicator,
  REDIS,
  redisIndicator,
  RedisModule,
  ServiceState,
} from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import { AccessAudit } from './access/access-audit.js';
import { AccessController } from './access/access-controller.js';
import { countDecisions } from './access/count-decisions.js';
import { GatewayPresence } from './access/gateway-presence.js';
import { openAuditFile } from './access/open-audit-file.js';
import { ReloadAccessControllerController } from './access/reload-access-controller.controller.js';
import { ReloadEverywhere } from './access/reload-everywhere.js';
import { WatchAccessFiles } from './access/watch-access-files.js';
import { callerLimits } from './authorization/caller-limits.js';
import { CALLER_LIMITS } from './authorization/caller-limits.token.js';
import { CoinPoolClient } from './coin-pool/coin-pool-client.js';
import { EnqueueExecution } from './executions/enqueue-execution.js';
import { EXECUTE_PARTS } from './executions/execute-parts.token.js';
import type { ExecuteParts } from './executions/execute-tx.js';
import { QueueRoom } from './executions/queue-room.js';
import { ExecuteTxController } from './executions/execute-tx.controller.js';
import { InputChecks } from './executions/input-checks.js';
import { OutcomeListener } from './executions/outcome-listener.js';
import { OutcomeWatchers } from './executions/outcome-watchers.js';
import { RefusedExecutions } from './executions/refused-executions.js';
import type { GatewayConfig } from './gateway-config.js';
import { ReserveGasController } from './reservations/reserve-gas.controller.js';
import { readVersion } from './service-info/read-version.js';
import { SERVICE_INFO, ServiceInfoController } from './service-info/service-info.controller.js';

@Module({})
export class GatewayModule {
  /** Throws `Error` when tokens or access rules cannot be used. */
  static async with(config: GatewayConfig, metrics: Metrics): Promise<DynamicModule> {
    const auditLines = config.accessAuditFile
      ? openAuditFile(config.accessAuditFile)
      : createLogger('gateway', 'info');
    const audit = new AccessAudit(auditLines, countDecisions(metrics));
    const limits = callerLimits(config);
    const access = await AccessController.load(
      config,
      audit,
      createLogger('gateway', config.logLevel),
    );
    const coinPool = new CoinPoolClient({
      endpoints: config.coinPools,
      timeoutMs: config.coinPoolTimeoutMs,
      fleetSecrets: config.fleetSecrets,
    });
    return {
      module: GatewayModule,
      imports: [
        RedisModule.with(config),
        LedgerModule.forRoot(config),
        ExecutionQueueModule.forRoot({
          redis: config,
          traced: config.traceEndpoint !== null,
          maxRetriesPerRequest: 1,
        }),
        HealthModule.with({
          inject: [REDIS, EXECUTION_QUEUE, LEDGER],
          ready: (redis: RedisConnection, queue: Queue, ledger: Ledger) => [
            redisIndicator(redis),
            queueIndicator(queue),
            ledgerIndicator(ledger),
          ],
        }),
      ],
      controllers: [
        ServiceInfoController,
        ReserveGasController,
        ExecuteTxController,
        ReloadAccessControllerController,
      ],
      providers: [
        OutcomeListener,
        GatewayPresence,
        ReloadEverywhere,
        ...(config.watchAccessFiles ? [WatchAccessFiles] : []),
        { provide: AccessController, useValue: access },
        { provide: CoinPoolClient, useValue: coinPool },
        { provide: CALLER_LIMITS, useValue: limits },
        {
          provide: SERVICE_INFO,
          useValue: { version: readVersion(config.buildCommit), bareText: config.bareText },
        },
        {
          provide: EXECUTE_PARTS,
          inject: [LEDGER, EXECUTION_QUEUE, REDIS, LOGGER, ServiceState],
          useFactory: (
            ledger: Ledger,
            queue: Queue<ExecuteTransactionJob>,
            redis: RedisConnection,
            logger: Logger,
            state: ServiceState,
          ): ExecuteParts => ({
            gateway: randomUUID(),
            ledger,
            coinPool,
            access,
            limits,
            logger,
            enqueue: new EnqueueExecution(queue),
            queueRoom: new QueueRoom(() => queue.getWaitingCount(), config.maxQueued),
            inputChecks: new InputChecks({
              ledger,
              refused: new RefusedExecutions(redis, config.maxRefusedExecutions),
              dryRun: config.dryRun,
              logger,
            }),
            maxGasPriceRatio: config.maxGasPriceRatio,
            watchers: new OutcomeWatchers(),
            waitMs: config.executeWaitMs,
            answerBy: () => state.answerBy,
          }),
        },
      ],
    };
  }
}
