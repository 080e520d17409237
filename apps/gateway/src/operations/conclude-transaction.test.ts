import { describe, expect, it } from '@jest/globals';
import type { ReservationTrace } from '@forecourt/contracts';
import {
  type ExplainedOnLedger,
  type TransactionVerdict,
  transactionVerdicts,
} from '@forecourt/contracts/http';
import { concludeTransaction } from './conclude-transaction.js';
import { SPONSOR, trace } from './reservation-trace.test-support.js';
import type { TransactionFacts } from './transaction-facts.js';

const OTHER = `0x${'b0'.repeat(32)}`;

const refusal = { digest: 'D1', message: 'gas price too low', epoch: null, movedOnBy: null };
const onLedger: ExplainedOnLedger = {
  status: 'success',
  error: null,
  epoch: '71',
  gas_charged: '1980400',
  sender: OTHER,
  gas_owner: SPONSOR,
};
const job = { id: 'D1-640-1', state: 'delayed', attempts: 3, enqueued_at: 0, last_error: 'held' };
const denied = {
  time: '2026-11-22T10:00:00.000Z',
  caller: 'shop',
  outcome: 'deny',
  rule: 'no-mints',
  digest: 'D1',
};

const facts: TransactionFacts = {
  query: 'D1',
  digest: 'D1',
  trace: null,
  decisions: null,
  onLedger: null,
  job: null,
  epoch: null,
  sponsors: [SPONSOR],
};
const traced = (over: Partial<ReservationTrace>) => ({ trace: { ...trace, ...over } });
const unused = { digest: null, begunMs: null, executor: null, fence: 0 };
const reservation = { query: null, digest: null };
const quarantine = { ...refusal, message: 'locked', epoch: 71 };

const cases: [TransactionVerdict, string, Partial<TransactionFacts>, RegExp, RegExp][] = [
  [
    'reserved',
    'a reservation that is unused',
    { ...reservation, ...traced({ ...unused, state: 'reserved' }) },
    /^shop has reserved it until 2025-10-09T/,
    /Nothing/,
  ],
  [
    'released',
    'one that was released',
    { ...reservation, ...traced({ ...unused, state: 'released' }) },
    /shop released it/,
    /Nothing/,
  ],
  [
    'expired',
    'one whose deadline passed',
    { ...reservation, ...traced({ ...unused, state: 'expired' }) },
    /No transaction of shop used it/,
    /longer time/,
  ],
  [
    'claimed',
    'a claim without a job',
    traced({ state: 'claimed', leaseEndsMs: 1_760_000_005_000 }),
    /waits for an executor\. The queue has no job/,
    /releases the claim after 2025-10-09T/,
  ],
  ['claimed', 'a claim with a job', { ...traced({ state: 'claimed' }), job }, /delayed/, /start/],
  [
    'executing',
    'an execution',
    { ...traced({}), job },
    /first taken up at 2025-10-09T.*, and last by executor-1; .* Its job is delayed, after 3 attempts; the last one ended with: held/,
    /look at the node/,
  ],
  [
    'executing',
    'an execution whose job is lost, while no node answers',
    { ...traced({}), onLedger: 'unreachable' },
    /no job .* The ledger is unreachable\./,
    /enqueues it again/,
  ],
  [
    'quarantined',
    'a quarantine',
    { ...traced({ state: 'quarantined', refusal: quarantine }), epoch: 71, job },
    /: locked\. The quarantine can end once epoch 71 is over \(the ledger is in epoch 71 now\)/,
    /ends by itself/,
  ],
  [
    'quarantined',
    'a quarantine whose outcome no node reported',
    traced({ state: 'quarantined', refusal: { ...quarantine, message: '' } }),
    /No node reported the outcome of the transaction of shop .* before the epoch of its submission ended\. The quarantine can end/,
    /caller receives the outcome once they have moved/,
  ],
  [
    'refused',
    'a quarantine that ended without the outcome that no node reported',
    traced({ state: 'expired', refusal: { ...quarantine, message: '', movedOnBy: 'OWN' } }),
    /refused and will never be executed: The transaction was not executed before the epoch/,
    /signed/,
  ],
  [
    'refused',
    'a transaction that the ledger refused for certain',
    traced({ ...unused, state: 'reserved', refusal }),
    /gas price too low\. It has cost nothing\. The reservation can be used .* until/,
    /signed/,
  ],
  [
    'refused',
    'a quarantine that the sponsor’s own transaction ended',
    traced({ state: 'expired', refusal: { ...quarantine, movedOnBy: 'OWN' } }),
    /own transaction OWN.* The reservation is over/,
    /signed/,
  ],
  [
    'replaced',
    'a transaction whose reservation another one took',
    { query: 'D0', digest: 'D0', ...traced({}) },
    /claimed by shop with reservation 640, but not executed\. .* since been used for D1/,
    /reservation 640/,
  ],
  [
    'denied',
    'a transaction that the rules denied',
    { decisions: [{ ...denied, outcome: 'allow' }, denied] },
    /deny, by rule no-mints/,
    /access explain/,
  ],
  [
    'not_executed',
    'an allowed transaction without a trace',
    { decisions: [{ ...denied, outcome: 'allow', rule: null }] },
    /allowed .* \(the policy or a budget\), but the ledger has not executed it/,
    /logs/,
  ],
  [
    'executed',
    'a settled transaction while no node answers',
    { ...traced({ state: 'executed' }), onLedger: 'unreachable' },
    /is settled\. Only the ledger can tell whether it succeeded\. The ledger is unreachable/,
    /node’s provider/,
  ],
  [
    'executed',
    'a settled transaction while the node’s answer cannot be used',
    { ...traced({ state: 'executed' }), onLedger: 'invalid' },
    /is settled\. Only the ledger can tell .*\. A ledger node answered, and its answer cannot be used/,
    /gateway’s log .* another node/,
  ],
  [
    'quarantined',
    'a quarantine while the node’s answer cannot be used',
    {
      ...traced({ state: 'quarantined', refusal: quarantine }),
      epoch: 71,
      job,
      onLedger: 'invalid',
    },
    /A ledger node answered, and its answer cannot be used\./,
    /ends by itself/,
  ],
  [
    'executed',
    'a settled transaction that the node has pruned',
    traced({ state: 'executed' }),
    /lags behind, or has pruned it/,
    /keeps older/,
  ],
  [
    'succeeded',
    'a success',
    { ...traced({ state: 'executed' }), onLedger },
    /epoch 71; the sponsor 0xa0.* paid 0\.0019804 IOTA for shop with reservation 640\.$/,
    /^Nothing/,
  ],
  [
    'succeeded',
    'a success that is not settled',
    { ...traced({}), onLedger },
    /not settled yet/,
    /check that executors run/,
  ],
  [
    'succeeded',
    'an old success',
    { onLedger },
    /the record of its reservation has been deleted/,
    /^Nothing/,
  ],
  [
    'failed',
    'a failure in Move',
    {
      ...traced({ state: 'executed' }),
      onLedger: { ...onLedger, status: 'failure', error: 'MoveAbort 3' },
    },
    /It failed: MoveAbort 3\. The gas is charged all the same/,
    /application/,
  ],
  [
    'maintenance',
    'a split',
    { onLedger: { ...onLedger, sender: SPONSOR } },
    /the sponsor’s own/,
    /^Nothing/,
  ],
  [
    'not_sponsored',
    'a transaction that another account paid',
    { onLedger: { ...onLedger, gas_owner: OTHER } },
    /not paid by a sponsor of this gas station: by 0xb0/,
    /ask the owner of the account/,
  ],
  [
    'not_sponsored',
    'a transaction whose payer is not shown',
    { onLedger: { ...onLedger, gas_owner: null } },
    /does not show by whom/,
    /ask/,
  ],
];

describe('the conclusion about a transaction', () => {
  it.each(cases)('%s: %s', (verdict, _what, known, meaning, advice) => {
    const conclusion = concludeTransaction({ ...facts, ...known });
    expect(conclusion).toEqual({
      verdict,
      meaning: expect.stringMatching(meaning),
      advice: expect.stringMatching(advice),
    });
    for (const text of [conclusion!.meaning, conclusion!.advice]) {
      expect(text).toMatch(/^[A-Za-z].*\.$/);
      expect(text).not.toMatch(/null|undefined|NaN/);
    }
  });

  it('has a case for every verdict', () => {
    const concluded = new Set(cases.map(([verdict]) => verdict));
    expect([...concluded].sort()).toEqual([...transactionVerdicts].sort());
  });

  it('is null without any record, or with only a decision while the ledger does not tell', () => {
    expect(concludeTransaction(facts)).toBeNull();
    expect(concludeTransaction({ ...facts, decisions: [] })).toBeNull();
    const allowed = { ...facts, decisions: [{ ...denied, outcome: 'allow' }] };
    for (const onLedger of ['unreachable', 'invalid'] as const)
      expect(concludeTransaction({ ...allowed, onLedger })).toBeNull();
  });
});
