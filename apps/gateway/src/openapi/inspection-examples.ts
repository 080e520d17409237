import type { ExplainResponse, FleetResponse } from '@forecourt/contracts';

const RESERVATION = 487777254309888;
const DIGEST = '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC';
const SPONSOR = `0x${'a0'.repeat(32)}`;
const MOMENT = 1_760_000_000_000;

export const fleetResponse: FleetResponse = {
  result: {
    sponsors: [
      {
        sponsor_address: SPONSOR,
        balance: '99500000000',
        coins: {
          available: { coins: 499, balance: '49900000000' },
          treasury: { coins: 1, balance: '49500000000' },
          quarantined: { coins: 1, balance: '100000000' },
        },
        spending: {
          hour: { spent: '19804000', since: MOMENT - 3_600_000 },
          day: { spent: '475296000', since: MOMENT - 86_400_000 },
        },
        days_left: 209.3,
        leader: 'coin-pool-7d9c-4f1c2a9e-51d0',
        suspended_secs: null,
        drain: null,
        reservations: { reserved: 0, claimed: 0, executing: 0, quarantined: 1 },
      },
    ],
    transactions: [
      {
        sponsor_address: SPONSOR,
        state: 'quarantined',
        digest: DIGEST,
        reservation_id: RESERVATION,
        caller: 'shop',
        reserved_at: MOMENT - 70_000,
        begun_at: MOMENT - 60_000,
        age_secs: 60,
        executor: 'executor-5b8f:17:09af',
        coins: 1,
        quarantine: {
          reason: 'Object 0x5e1f… is locked by another transaction',
          ends_after_epoch: 71,
          moved_on_by: null,
        },
      },
    ],
    epoch: 71,
    queue: { waiting: 0, active: 0, delayed: 1, failed: 0 },
    replicas: [
      {
        service: 'coin-pool',
        id: 'coin-pool-7d9c-4f1c2a9e-51d0',
        version: '1.0.0-0123456789ab',
        started_at: MOMENT - 86_400_000,
        seen_at: MOMENT,
      },
    ],
    problems: [],
  },
};

export const explainResponse: ExplainResponse = {
  result: {
    verdict: 'succeeded',
    meaning: `The ledger has executed it in epoch 71; the sponsor ${SPONSOR} paid 1980400 for shop with reservation ${RESERVATION}.`,
    advice: 'Nothing needs to be done.',
    digest: DIGEST,
    reservation: {
      reservation_id: RESERVATION,
      sponsor_address: SPONSOR,
      caller: 'shop',
      state: 'executed',
      gas_budget: 10_000_000,
      reserve_duration_secs: 60,
      reserved_at: MOMENT,
      expires_at: MOMENT + 60_000,
      gas_coins: [],
      digest: DIGEST,
      claims: 1,
      begun_at: null,
      executor: null,
      rule: null,
      waiters: 0,
      usage: [],
      refusal: null,
      kept_for_secs: 540,
    },
    job: null,
    ledger: {
      status: 'success',
      error: null,
      epoch: '71',
      gas_charged: '1980400',
      sender: `0x${'b0'.repeat(32)}`,
      gas_owner: SPONSOR,
    },
    decisions: null,
  },
};
