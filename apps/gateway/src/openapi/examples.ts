import type {
  ExecuteTxRequest,
  ExecuteTxResponse,
  ReserveGasRequest,
  ReserveGasResponse,
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
