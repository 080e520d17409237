import { Inject, Injectable } from '@nestjs/common';
import { type ForecourtError, LISTED_BOUNDS } from '@forecourt/contracts';
import type {
  ConfiguredWebhook,
  Fleet,
  FleetProblem,
  FleetQueue,
  FleetReplica,
  Overview,
} from '@forecourt/contracts/http';
import type { Ledger } from '@forecourt/ledger';
import { within } from '@forecourt/runtime/async';
import { LEDGER } from '@forecourt/runtime/ledger';
import { countTransactions, EXECUTION_QUEUE } from '@forecourt/runtime/queue';
import { ReplicaPresence } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import { Pauses } from '../access/pauses.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { HistoryClient } from '../history/history-client.js';
import { describeSponsor, listTransactions } from './describe-pool.js';
import { EventsIndexClient } from './events-index-client.js';
import { EventsReplicas } from './events-replicas.js';

const LEDGER_TIMEOUT_MS = 2_000;
/** A screen that asks every few seconds waits no longer for one part. */
const SUMMARY_TIMEOUT_MS = 2_000;
/** Who looks at the overview sees an outage of the ledger before its callers ask about it. */
const LEDGER_SEEN_MS = 1_500;
/** Parts that change seldom are read as seldom. */
const REPORTS_MS = 5_000;

type Reports = Pick<Overview, 'failing_webhooks' | 'other_ledger_nodes' | 'problems'>;
/** The parts of the overview that are not records. */
export type FleetSummary = Omit<Overview, 'at' | 'recent' | 'sponsors_read_at'>;
type Epoch = Pick<Fleet, 'epoch' | 'epoch_ends_at'>;
const NO_EPOCH: Epoch = { epoch: null, epoch_ends_at: null };
const UNREAD: Reports = { failing_webhooks: null, other_ledger_nodes: null, problems: [] };

/** Gathers the fleet's sponsors, work in flight, queue and replicas. */
@Injectable()
export class FleetService {
  #reports = UNREAD;
  #reportsAskedAt = 0;

  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly replicas: ReplicaPresence,
    private readonly events: EventsReplicas,
    @Inject(EXECUTION_QUEUE) private readonly queue: Queue,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly pauses: Pauses,
    private readonly history: HistoryClient,
    private readonly index: EventsIndexClient,
  ) {}

  /**
   * Never throws: operators inspect the fleet when something is wrong, so `problems` names the parts that
   * cannot be read.
   */
  async inspect(listed: number): Promise<Fleet> {
    const problems = new Problems();
    const [pools, replicas, events, queue, epoch] = await Promise.all([
      this.readPools(listed, problems),
      problems.orNote('replicas', this.listReplicas(), []),
      this.events.list(),
      this.readQueue(problems),
      this.readEpoch(problems),
    ]);
    return {
      sponsors: (pools ?? []).map(describeSponsor),
      transactions: (pools ?? []).flatMap(listTransactions),
      ...epoch,
      queue,
      replicas: [...replicas, ...events.replicas],
      problems: [...problems.found, ...events.problems],
    };
  }

  /**
   * The parts that are worth reading once a second. Null: a part cannot be read soon, and `problems` names
   * it.
   */
  async summarize(): Promise<FleetSummary> {
    const problems = new Problems(SUMMARY_TIMEOUT_MS);
    void this.refreshReports();
    const [pools, queue, epoch] = await Promise.all([
      this.readPools(LISTED_BOUNDS.min, problems),
      this.readQueue(problems),
      this.readEpoch(problems, LEDGER_SEEN_MS),
    ]);
    const sponsors = pools?.map(describeSponsor) ?? null;
    const { current: pauses } = this.pauses;
    if (pauses === null) problems.found.push({ part: 'pauses', message: 'Redis is unreachable' });
    const { problems: unread, ...reports } = this.#reports;
    return {
      sponsors,
      queue,
      ...epoch,
      pauses,
      ...reports,
      problems: [...problems.found, ...unread],
    };
  }

  /** Other figures do not wait for it. Never throws. */
  private async refreshReports(): Promise<void> {
    if (Date.now() < this.#reportsAskedAt + REPORTS_MS) return;
    this.#reportsAskedAt = Date.now();
    const problems = new Problems();
    const viewer = { token: null, user: null };
    const webhooks = this.history.listWebhooks({ viewer }).then((reply) => reply.webhooks);
    const nodes = this.index.read().then(
      (index) => index.other_ledger_nodes,
      (error: ForecourtError) => {
        if (error.code === 'EVENTS_INDEX_OFF') return null;
        throw error;
      },
    );
    const [all, others] = await Promise.all([
      problems.orNote('webhooks', webhooks, null),
      problems.orNote('events_index', nodes, null),
    ]);
    const failing = all && all.filter(isFailing);
    this.#reports = {
      failing_webhooks: failing,
      other_ledger_nodes: others,
      problems: problems.found,
    };
  }

  private async readPools(listed: number, problems: Problems) {
    const read = this.coinPool.inspectPools({ listed }).then(({ pools }) => pools);
    return problems.orNote('sponsors', read, null);
  }

  private readQueue(problems: Problems): Promise<FleetQueue | null> {
    return problems.orNote('queue', countTransactions(this.queue), null);
  }

  private readEpoch(problems: Problems, maxAgeMs?: number): Promise<Epoch> {
    return problems.orNote('epoch', this.askEpoch(maxAgeMs), NO_EPOCH);
  }

  private async listReplicas(): Promise<readonly FleetReplica[]> {
    const seen = await this.replicas.list();
    return seen
      .map(({ service, id, version, startedAt, seenAt, accessVersion = null }) => ({
        service,
        id,
        version,
        started_at: startedAt,
        seen_at: seenAt,
        access_version: accessVersion,
      }))
      .sort((a, b) => a.service.localeCompare(b.service) || a.id.localeCompare(b.id));
  }

  private async askEpoch(maxAgeMs?: number): Promise<Epoch> {
    const status = within(this.ledger.status(maxAgeMs), LEDGER_TIMEOUT_MS, 'The ledger');
    const { epoch, epochStartedAt, epochEndsAt } = await status;
    return {
      epoch: Number(epoch),
      epoch_ends_at: epochEndsAt > epochStartedAt ? epochEndsAt : null,
    };
  }
}

function isFailing({ ended_at, last_failure_at, last_success_at }: ConfiguredWebhook): boolean {
  return ended_at !== null || (last_failure_at ?? 0) > (last_success_at ?? 0);
}

/** The parts of an answer that cannot be read. */
class Problems {
  readonly found: FleetProblem[] = [];

  /** `timeoutMs`: the time limit of each part. */
  constructor(private readonly timeoutMs?: number) {}

  async orNote<T, Other>(
    part: FleetProblem['part'],
    read: Promise<T>,
    otherwise: Other,
  ): Promise<T | Other> {
    const { timeoutMs } = this;
    const answer = timeoutMs === undefined ? read : within(read, timeoutMs, 'The answer');
    return answer.catch((error: Error) => {
      this.found.push({ part, message: describeProblem(error) });
      return otherwise;
    });
  }
}

/**
 * When ioredis gives up a call, its message names a setting; an operator needs the name of the service that
 * is down.
 */
function describeProblem({ name, message }: Error): string {
  return name === 'MaxRetriesPerRequestError' ? 'Redis is unreachable' : message;
}
