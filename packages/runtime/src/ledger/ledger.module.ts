import {
  createIotaLedger,
  type InvalidAnswer,
  type IotaLedgerOptions,
  type Ledger,
  type NodeChange,
} from '@forecourt/ledger';
import {
  type DynamicModule,
  Inject,
  type InjectionToken,
  Module,
  type ModuleMetadata,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { ConfigOf, ledgerVariables } from '../config/index.js';
import { LOGGER, type Logger, REDIS } from '../service/index.js';
import { rememberAnswer } from '@forecourt/resilience';
import { measureLedgerCalls, Metrics } from '../metrics/index.js';
import { Signers } from '../signers/index.js';
import { within } from '../async/index.js';

/** Addresses of the ledger's nodes and options of calls to them. */
export type LedgerSettings = ConfigOf<typeof ledgerVariables>;

/** The configured nodes as options of `createIotaLedger`. */
export function ledgerOptions(settings: LedgerSettings): IotaLedgerOptions {
  return {
    urls: settings.ledgerUrls,
    readUrls: settings.ledgerReadUrls,
    headers: settings.ledgerHeaders,
    requestTimeoutMs: settings.ledgerTimeoutMs,
    statusMaxAgeMs: settings.ledgerStatusMs,
  };
}

/** Logs that a ledger node does not respond, or not as a node of this network, and its recovery. */
function logNodeChange(logger: Logger): (change: NodeChange) => void {
  return ({ node, reason, isForeign, isInvalid }) => {
    if (reason === null) logger.info({ node }, 'Ledger node responds again');
    else if (isForeign)
      logger.warn(
        { node, reason },
        'Ledger node of another network is not used: check LEDGER_URL and LEDGER_READ_URL',
      );
    else if (isInvalid)
      logger.warn(
        { node, reason },
        'Ledger node is none, or of another version: check LEDGER_URL and LEDGER_READ_URL',
      );
    else logger.warn({ node, reason }, 'Ledger node does not respond');
  };
}

/** Logs that a node's answer was not believed; the node stays in use. */
function logInvalidAnswer(logger: Logger): (answer: InvalidAnswer) => void {
  return (answer) =>
    logger.warn(answer, 'Ledger node gave an answer that cannot be used: compare the versions');
}

/** Injection token of the service's `Ledger`. */
export const LEDGER = Symbol('LEDGER');

const FIND_NETWORK = Symbol('FIND_NETWORK');
const LEDGER_SETTINGS = Symbol('LEDGER_SETTINGS');

/** Finds the network of the fleet's pools; null while it is unknown. */
export interface FindNetwork<Dependencies extends readonly unknown[]> {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject: readonly InjectionToken[];
  readonly find: (...dependencies: Dependencies) => Promise<string | null>;
}

/** The configured ledger, with metrics of its calls, for every module of a service. */
@Module({})
export class LedgerModule implements OnApplicationBootstrap {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    measureLedger(metrics, ledger);
  }

  static forRoot<Dependencies extends readonly unknown[]>(
    settings: LedgerSettings,
    { imports = [], inject, find }: FindNetwork<Dependencies>,
  ): DynamicModule {
    return {
      module: LedgerModule,
      global: true,
      imports,
      providers: [
        { provide: LEDGER_SETTINGS, useValue: settings },
        {
          provide: FIND_NETWORK,
          inject: [...inject],
          useFactory:
            (...dependencies: Dependencies) =>
            () =>
              find(...dependencies),
        },
        {
          provide: LEDGER,
          inject: [Metrics, LOGGER, FIND_NETWORK],
          useFactory: (
            metrics: Metrics,
            logger: Logger,
            findNetwork: () => Promise<string | null>,
          ) =>
            createIotaLedger({
              ...ledgerOptions(settings),
              findNetwork,
              onCall: measureLedgerCalls(metrics),
              onNodeChange: logNodeChange(logger),
              onInvalidAnswer: logInvalidAnswer(logger),
            }),
        },
      ],
      exports: [LEDGER],
    };
  }

  /**
   * Logs the ledger's state at start for operators; `npm run forecourt -- doctor` examines a node in full.
   */
  onApplicationBootstrap(): void {
    const { ledger, logger } = this;
    const { ledgerUrls, ledgerReadUrls } = this.settings;
    const nodes = [...new Set([...ledgerUrls, ...ledgerReadUrls])].map(describeNode);
    Promise.all([ledger.chainIdentifier(), ledger.status()]).then(
      ([network, { epoch, referenceGasPrice, objectLockMs }]) =>
        logger.info(
          {
            nodes,
            network,
            epoch: String(epoch),
            referenceGasPrice: String(referenceGasPrice),
            objectLocks: objectLockMs === null ? 'until the epoch ends' : `${objectLockMs} ms`,
          },
          'Ledger connected',
        ),
      (error: Error) =>
        logger.warn({ nodes, reason: error.message }, 'Ledger not available at start'),
    );
  }
}

/** Its host and the interface that it serves. */
function describeNode(url: string): string {
  const { host, protocol } = new URL(url);
  return `${host} (${protocol.startsWith('grpc') ? 'gRPC' : 'JSON-RPC'})`;
}

/** For a service with sponsors' keys. `readNetwork` reads the network of the sponsors' pools. */
export function networkOfSponsors<Redis>(
  readNetwork: (redis: Redis, sponsors: readonly string[]) => Promise<string | null>,
): FindNetwork<[Redis, Signers]> {
  return {
    inject: [REDIS, Signers],
    find: (redis, { configured }) =>
      readNetwork(
        redis,
        configured.map(({ address }) => address),
      ),
  };
}

/** Time limit of the cheapest call. A node that exceeds it is too slow for callers as well. */
const LIMIT_MS = 10_000;

/**
 * Exports whether a ledger node answers. A reading of the metrics starts a call, at most once per `LIMIT_MS`,
 * and shows the previous result: a hanging node does not delay the other metrics, and shows as down long
 * before calls to it time out.
 */
export function measureLedger(metrics: Metrics, ledger: Ledger): void {
  let isUp: boolean | null = null;
  const ask = rememberAnswer(async () => {
    const answer = within(ledger.chainIdentifier(), LIMIT_MS, 'Identifying the network');
    isUp = await answer.then(
      () => true,
      () => false,
    );
  }, LIMIT_MS);
  metrics.figures({
    name: 'ledger_up',
    help: 'Whether a ledger node answered the last call within ten seconds (1) or not (0); called when metrics are read.',
    read: () => {
      void ask();
      return isUp === null ? [] : [[{}, Number(isUp)]];
    },
  });
}
