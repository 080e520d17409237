import type {
  BuildTxRequest,
  BuildTxResponse,
  DrainRequest,
  DryRunTxRequest,
  DryRunTxResponse,
  ExecuteTxRequest,
  ExecuteTxResponse,
  PauseRequest,
  PausesResponse,
  ReleaseGasRequest,
  ReleaseGasResponse,
  ReserveGasRequest,
  ReserveGasResponse,
  ResumeRequest,
  SponsorsResponse,
  UndrainRequest,
  WithdrawRequest,
} from '@forecourt/contracts';

const RESERVATION = 487777254309888;

export const reserveGasRequest: ReserveGasRequest = {
  gas_budget: 10_000_000,
  reserve_duration_secs: 60,
};

export const reserveGasResponse: ReserveGasResponse = {
  result: {
    sponsor_address: `0x${'a0'.repeat(32)}`,
    reservation_id: RESERVATION,
    gas_coins: [
      {
        objectId: `0x${'5e1f'.repeat(16)}`,
        version: 3,
        digest: '8Qq3Vb6pA2L7o1d8b9nZ4mX5cY6tR7wE8sU9iK1jHgFd',
      },
    ],
  },
};

export const executeTxRequest: ExecuteTxRequest = {
  reservation_id: RESERVATION,
  tx_bytes: 'AAAA',
  user_sig: 'AAAA',
  requestType: 'waitForEffectsCert',
};

export const executeTxResponse: ExecuteTxResponse = {
  effects: {
    status: { status: 'success' },
    transactionDigest: '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC',
  },
  error: null,
};

export const releaseGasRequest: ReleaseGasRequest = { reservation_id: RESERVATION };

export const releaseGasResponse: ReleaseGasResponse = { result: { released: true } };

export const dryRunTxRequest: DryRunTxRequest = {
  sender: `0x${'b0'.repeat(32)}`,
  kind_bytes: 'AAAA',
};

export const dryRunTxResponse: DryRunTxResponse = {
  result: {
    sponsored: { allowed: true, rule: 'drive', reason: null, limits: [] },
    execution: { status: 'success', error: null },
    gas: {
      computation_cost: '1000000',
      storage_cost: '1960800',
      storage_rebate: '980400',
      net_cost: '1980400',
      suggested_budget: 4_552_960,
    },
    balance_changes: [],
    object_changes: [],
    events: [],
  },
};

export const buildTxRequest: BuildTxRequest = {
  sender: `0x${'b0'.repeat(32)}`,
  kind_bytes: 'AAAA',
};

export const buildTxResponse: BuildTxResponse = {
  result: {
    tx_bytes: 'AAAA',
    digest: '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC',
    reservation_id: RESERVATION,
    gas_budget: 4_552_960,
    sponsor_address: `0x${'a0'.repeat(32)}`,
    expires_at: 1_760_000_060_000,
  },
};

export const pauseRequest: PauseRequest = { token: 'shop', reason: 'unusual spending' };

export const resumeRequest: ResumeRequest = { token: 'shop' };

export const pausesResponse: PausesResponse = {
  result: {
    paused: [
      { scope: 'token shop', reason: 'unusual spending', by: 'ops', since: 1_760_000_000_000 },
    ],
  },
};

const SPONSOR = `0x${'a0'.repeat(32)}`;
const SAFE = `0x${'c0'.repeat(32)}`;

export const drainRequest: DrainRequest = { sponsor_address: SPONSOR, reason: 'key rotation' };

export const undrainRequest: UndrainRequest = { sponsor_address: SPONSOR };

export const withdrawRequest: WithdrawRequest = {
  sponsor_address: SPONSOR,
  to_address: SAFE,
  reason: 'key rotation',
};

export const sponsorsResponse: SponsorsResponse = {
  result: {
    sponsors: [
      {
        sponsor_address: SPONSOR,
        state: 'drained',
        coins: {
          available: 0,
          dust: 0,
          treasury: 0,
          reserved: 0,
          claimed: 0,
          executing: 0,
          quarantined: 0,
          maintenance: 0,
        },
        balance: '0',
        drain: { reason: 'key rotation', by: 'ops', since: 1_760_000_000_000 },
        withdrawal: {
          to_address: SAFE,
          reason: 'key rotation',
          by: 'ops',
          since: 1_760_000_060_000,
          coins: 500,
          arrived: '49998019600',
          digest: '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC',
          ended: 1_760_000_062_000,
        },
      },
    ],
  },
};
