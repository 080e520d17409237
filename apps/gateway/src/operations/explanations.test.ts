import { describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import type { ForecourtError, ReservationTrace } from '@forecourt/contracts';
import type { ExplainedOnLedger, LookupFailure } from '@forecourt/contracts/http';
import { SPONSOR, trace } from './reservation-trace.test-support.js';
import type { QueuedJob, Subject } from './explanations.service.js';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { ExplanationsService } = await import('./explanations.service.js');

interface Known {
  readonly traced?: ReservationTrace | null;
  readonly decisions?: readonly object[] | null;
  readonly onLedger?: ExplainedOnLedger | LookupFailure | null;
  readonly job?: QueuedJob;
}

async function explain(subject: Subject, known: Known = {}) {
  const { traced = null, decisions = null, onLedger = null, job } = known;
  const requests: unknown[] = [];
  const jobs: object[] = [];
  const explained = new ExplanationsService(
    partial({
      explainTransaction: async () => ({ trace: traced, sponsors: [SPONSOR] }),
      readUsages: async ({ counters }) => ({
        sponsor: SPONSOR,
        usages: counters.map((counter) => ({ counter, used: '7', endsInMs: 60_000 })),
      }),
    }),
    partial({
      async find(claim: object) {
        jobs.push(claim);
        return job;
      },
    }),
    partial({
      async find(what: object) {
        requests.push(what);
        return decisions;
      },
    }),
    partial({
      async find(digest: string) {
        requests.push(digest);
        return onLedger;
      },
      async epoch() {
        requests.push('epoch');
        return 71;
      },
    }),
    partial({
      describeCounter: (counter) => (counter === 'c1' ? 'gas <= 5 IOTA in 1 day, rule few' : null),
    }),
  );
  const outcome = await explained.explain(subject).catch((error: ForecourtError) => error);
  return { outcome, requests, jobs };
}

const executed = {
  status: 'success',
  error: null,
  epoch: '71',
  gas_charged: '5',
  sender: null,
  gas_owner: SPONSOR,
};

describe('the explanation of a transaction', () => {
  it('names the limits in which it counts, and when they reset', async () => {
    const usage = ['c1', 'unknown'].map((counter) => ({
      counter,
      counts: 'gas' as const,
      amount: '20',
      used: '40',
    }));
    const traced = { ...trace, state: 'claimed' as const, digest: 'D1', usage };
    const { outcome } = await explain({ reservationId: 1 }, { traced });
    expect(outcome).toMatchObject({
      reservation: {
        usage: [
          {
            limit: 'gas <= 5 IOTA in 1 day, rule few',
            amount: '20',
            used: '40',
            resets_at: expect.any(Number),
          },
          { limit: null, counter: 'unknown' },
        ],
      },
    });
  });

  it('gathers its reservation, its job and the ledger’s record', async () => {
    const waiting: QueuedJob = {
      id: 'D1-640-1',
      getState: async () => 'delayed',
      attemptsMade: 3,
      timestamp: 7,
      failedReason: 'held',
    };
    const { outcome, requests, jobs } = await explain(
      { digest: 'D1' },
      { traced: trace, job: waiting },
    );
    expect(requests).toEqual([{ digest: 'D1', reservationId: null }, 'D1']);
    expect(jobs).toEqual([{ digest: 'D1', reservationId: 640, fence: 1 }]);
    expect(outcome).toMatchObject({
      digest: 'D1',
      ledger: null,
      job: { id: 'D1-640-1', state: 'delayed', attempts: 3, enqueued_at: 7, last_error: 'held' },
      reservation: {
        reservation_id: 640,
        reserved_at: 1_760_000_000_000,
        expires_at: 1_760_000_060_000,
        refusal: null,
        kept_for_secs: null,
      },
    });
  });

  it('shows a refusal, and how long the record is kept', async () => {
    const refusal = { digest: 'D1', message: 'locked', epoch: 70, movedOnBy: 'D2' };
    const traced = { ...trace, state: 'quarantined', refusal, keptForMs: 1_001 } as const;
    const job: QueuedJob = {
      id: 'D1-640-1',
      getState: async () => 'active',
      attemptsMade: 0,
      timestamp: 7,
      failedReason: '',
    };
    const { outcome, requests } = await explain({ digest: 'D1' }, { traced, job });
    expect(requests.at(-1)).toBe('epoch');
    expect(outcome).toMatchObject({
      job: { last_error: null },
      reservation: {
        kept_for_secs: 2,
        refusal: {
          digest: 'D1',
          message: 'locked',
          quarantine_ends_after_epoch: 70,
          moved_on_by: 'D2',
        },
      },
    });
  });

  it('looks for no job of a reservation that was never claimed', async () => {
    const traced = { ...trace, state: 'reserved', digest: null, fence: 0 } as const;
    const { outcome, requests, jobs } = await explain({ reservationId: 640 }, { traced });
    expect(jobs).toEqual([]);
    expect(requests).toEqual([{ digest: null, reservationId: 640 }]);
    expect(outcome).toMatchObject({ digest: null, job: null, ledger: null });
  });

  it('follows a reservation to its current, former or denied transaction', async () => {
    const unbound = { ...trace, digest: null, fence: 0, state: 'reserved' } as const;
    const refusal = { digest: 'D3', message: 'no', epoch: null, movedOnBy: null };
    const logged = [{ digest: 'D4' }, { digest: 'D5' }, {}].map((one) => ({
      time: '2026-11-22T10:00:00.000Z',
      caller: 'shop',
      outcome: 'deny',
      rule: null,
      ...one,
    }));
    const digestOf = async (traced: ReservationTrace) => {
      const { requests } = await explain({ reservationId: 640 }, { traced, decisions: logged });
      return requests.filter((one) => typeof one === 'string');
    };
    expect(await digestOf(trace)).toEqual(['D1']);
    expect(await digestOf({ ...unbound, refusal })).toEqual(['D3']);
    expect(await digestOf(unbound)).toEqual(['D5']);
  });

  it('uses the ledger’s record alone if there is no other', async () => {
    const { outcome, jobs } = await explain({ digest: 'D1' }, { onLedger: executed });
    expect(outcome).toMatchObject({ digest: 'D1', ledger: executed, reservation: null, job: null });
    expect(jobs).toEqual([]);
  });

  it('fails naming its subject if there is no record, or because the ledger does not tell', async () => {
    const unknown = { code: 'TRANSACTION_UNKNOWN' };
    const digest = await explain({ digest: 'D1' });
    const named = { ...unknown, message: expect.stringContaining('transaction D1') };
    expect(digest.outcome).toMatchObject(named);
    const reservation = await explain({ reservationId: 640 });
    expect(reservation.outcome).toMatchObject({
      ...unknown,
      message: expect.stringContaining('reservation 640'),
    });
    const unreachable = await explain({ digest: 'D1' }, { onLedger: 'unreachable' });
    expect(unreachable.outcome).toMatchObject({ code: 'LEDGER_UNREACHABLE' });
    const invalid = await explain({ digest: 'D1' }, { onLedger: 'invalid' });
    expect(invalid.outcome).toMatchObject({ code: 'LEDGER_ANSWER_INVALID' });
  });
});
