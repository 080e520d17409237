import type { ReservationTrace } from '@forecourt/contracts';

export const SPONSOR = `0x${'a0'.repeat(32)}`;

/** Of a transaction that an executor has begun. */
export const trace: ReservationTrace = {
  reservationId: 640,
  sponsor: SPONSOR,
  caller: 'shop',
  state: 'executing',
  gasBudget: 5_000_000,
  durationSecs: 60,
  deadlineMs: 1_760_000_060_000,
  coins: [],
  digest: 'D1',
  fence: 1,
  leaseEndsMs: null,
  begunMs: 1_760_000_001_000,
  executor: 'executor-1',
  isResumed: false,
  rule: null,
  waiters: 1,
  usage: [],
  refusal: null,
  keptForMs: null,
};
