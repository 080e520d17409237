import { Inject, Injectable } from '@nestjs/common';
import type { Fleet, FleetQueue, FleetReplica } from '@forecourt/contracts/http';
import type { Ledger } from '@forecourt/ledger';
import { within } from '@forecourt/runtime/async';
import { LEDGER } from '@forecourt/runtime/ledger';
import { countTransactions, EXECUTION_QUEUE } from '@forecourt/runtime/queue';
import { ReplicaPresence } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
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
  ) {}

  /** Never throws: operators inspect the fleet when something is wrong, so `problems` names the parts that cannot be read. */
  async inspect(listed: number): Promise<Fleet> {
    const problems: string[] = [];
    const orNote = async <T>(problem: string, read: Promise<T>, otherwise: T): Promise<T> =>
      read.catch((error: Error) => {
        problems.push(`${problem}: ${describeProblem(error)}`);
        return otherwise;
      });
    const [{ pools }, replicas, events, queue, epoch] = await Promise.all([
      orNote('Sponsors are missing', this.coinPool.inspectPools({ listed }), { pools: [] }),
      orNote('Replicas are missing', this.listReplicas(), []),
      this.events.list(),
      orNote('The queue is missing', this.countJobs(), null),
      orNote('The epoch is missing', this.readEpoch(), null),
    ]);
    return {
      sponsors: pools.map(describeSponsor),
      transactions: pools.flatMap(listTransactions),
      epoch,
      queue,
      replicas: [...replicas, ...events.replicas],
      problems: [...problems, ...events.problems].sort(),
    };
  }

  private async listReplicas(): Promise<readonly FleetReplica[]> {
    const seen = await this.replicas.list();
    return seen
      .map(({ service, id, version, startedAt, seenAt }) => {
        return { service, id, version, started_at: startedAt, seen_at: seenAt };
      })
      .sort((a, b) => a.service.localeCompare(b.service) || a.id.localeCompare(b.id));
  }

  private async countJobs(): Promise<FleetQueue> {
    const [transactions, { failed = 0 }] = await Promise.all([
      countTransactions(this.queue),
      this.queue.getJobCounts('failed'),
    ]);
    return { ...transactions, failed };
  }

  private async readEpoch(): Promise<number> {
    const { epoch } = await within(this.ledger.status(), LEDGER_TIMEOUT_MS, 'The ledger');
    return Number(epoch);
  }
}

/** When ioredis gives up a call, its message names a setting; an operator needs the name of the service that is down. */
function describeProblem({ name, message }: Error): string {
  return name === 'MaxRetriesPerRequestError' ? 'Redis is unreachable' : message;
}
