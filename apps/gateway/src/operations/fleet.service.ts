import { Inject, Injectable } from '@nestjs/common';
import { LISTED_BOUNDS } from '@forecourt/contracts';
import type { Fleet, FleetFigures, FleetQueue, FleetReplica } from '@forecourt/contracts/http';
import type { Ledger } from '@forecourt/ledger';
import { within } from '@forecourt/runtime/async';
import { LEDGER } from '@forecourt/runtime/ledger';
import { countTransactions, EXECUTION_QUEUE } from '@forecourt/runtime/queue';
import { ReplicaPresence } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import { Pauses } from '../access/pauses.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { describeSponsor, listTransactions } from './describe-pool.js';
import { EventsReplicas } from './events-replicas.js';

const LEDGER_TIMEOUT_MS = 2_000;

/** Gathers the fleet's sponsors, work in flight, queue and replicas. */
@Injectable()
export class FleetService {
  constructor(
    @Inject(CoinPoolClient) private readonly coinPool: Pick<CoinPoolClient, 'inspectPools'>,
    @Inject(ReplicaPresence) private readonly replicas: Pick<ReplicaPresence, 'list'>,
    @Inject(EventsReplicas) private readonly events: Pick<EventsReplicas, 'list'>,
    @Inject(EXECUTION_QUEUE) private readonly queue: Pick<Queue, 'getJobCounts' | 'getRanges'>,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'status'>,
    @Inject(Pauses) private readonly pauses: Pick<Pauses, 'current'>,
  ) {}

  /** Never throws: operators inspect the fleet when something is wrong, so `problems` names the parts that cannot be read. */
  async inspect(listed: number): Promise<Fleet> {
    const problems = new Problems();
    const [pools, replicas, events, queue, epoch] = await Promise.all([
      this.readPools(listed, problems),
      problems.orNote('Replicas are missing', this.listReplicas(), []),
      this.events.list(),
      this.readQueue(problems),
      this.readEpoch(problems),
    ]);
    return {
      sponsors: (pools ?? []).map(describeSponsor),
      transactions: (pools ?? []).flatMap(listTransactions),
      epoch,
      queue,
      replicas: [...replicas, ...events.replicas],
      problems: [...problems.found, ...events.problems].sort(),
    };
  }

  /** The parts that are worth reading once a second. Null: a part cannot be read, and `problems` names it. */
  async summarize(): Promise<Omit<FleetFigures, 'sponsors_read_at'>> {
    const problems = new Problems();
    const [pools, queue, epoch] = await Promise.all([
      this.readPools(LISTED_BOUNDS.min, problems),
      this.readQueue(problems),
      this.readEpoch(problems),
    ]);
    const sponsors = pools?.map(describeSponsor) ?? null;
    const { current: pauses } = this.pauses;
    if (pauses === null) problems.found.push('Pauses are missing: Redis is unreachable');
    return { sponsors, queue, epoch, pauses, problems: problems.found.toSorted() };
  }

  private async readPools(listed: number, problems: Problems) {
    const read = this.coinPool.inspectPools({ listed }).then(({ pools }) => pools);
    return problems.orNote('Sponsors are missing', read, null);
  }

  private readQueue(problems: Problems): Promise<FleetQueue | null> {
    return problems.orNote('The queue is missing', this.countJobs(), null);
  }

  private readEpoch(problems: Problems): Promise<number | null> {
    return problems.orNote('The epoch is missing', this.askEpoch(), null);
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

  private async countJobs(): Promise<FleetQueue> {
    const [transactions, { failed = 0 }] = await Promise.all([
      countTransactions(this.queue),
      this.queue.getJobCounts('failed'),
    ]);
    return { ...transactions, failed };
  }

  private async askEpoch(): Promise<number> {
    const { epoch } = await within(this.ledger.status(), LEDGER_TIMEOUT_MS, 'The ledger');
    return Number(epoch);
  }
}

/** The parts of an answer that cannot be read. */
class Problems {
  readonly found: string[] = [];

  async orNote<T, Other>(problem: string, read: Promise<T>, otherwise: Other): Promise<T | Other> {
    return read.catch((error: Error) => {
      this.found.push(`${problem}: ${describeProblem(error)}`);
      return otherwise;
    });
  }
}

/** When ioredis gives up a call, its message names a setting; an operator needs the name of the service that is down. */
function describeProblem({ name, message }: Error): string {
  return name === 'MaxRetriesPerRequestError' ? 'Redis is unreachable' : message;
}
