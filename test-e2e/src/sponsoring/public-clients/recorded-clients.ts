import {
  type Application,
  buildSponsored,
  call,
  type Reservation,
  reserved,
} from '../../support/application.js';

/**
 * A client whose source is public but not published as a package: the requests that it makes, by its own
 * names.
 */
export interface RecordedClient {
  readonly name: string;
  readonly gasBudget?: number;
  /** The fields that it sends to execute besides the signed transaction. */
  readonly execute: (reservation: Reservation) => Record<string, unknown>;
  /** Why it cannot work, where it cannot. */
  readonly limitation?: string;
}

/** The largest id that this client's `uint32_t` can hold. */
const LARGEST_U32 = 4_294_967_295;

const byId = ({ reservation_id }: Reservation) => ({ reservation_id });

export const recordedClients: readonly RecordedClient[] = [
  {
    name: 'UniMe wallet',
    execute: (reservation) => ({
      ...byId(reservation),
      request_type: 'WaitForLocalExecution',
    }),
  },
  {
    name: 'GasKit',
    execute: ({ reservation_id }) => ({ reservation_id: String(reservation_id) }),
  },
  { name: 'decmed', gasBudget: 5_000_000_000, execute: byId },
  {
    name: 'microcontroller client',
    execute: ({ reservation_id }) => ({ reservation_id: Math.min(reservation_id, LARGEST_U32) }),
    limitation: 'ids of reservations are above 2^32',
  },
];

/**
 * Makes the client's requests and answers the digest of its transaction. Throws with the answer that refuses
 * one.
 */
export async function runRecorded(
  { gasBudget = 10_000_000, execute }: RecordedClient,
  station: Application,
): Promise<string> {
  const reservation = await reserved(station, gasBudget);
  const { digest, tx_bytes, user_sig } = await buildSponsored(station, reservation, { gasBudget });
  const body = { ...execute(reservation), tx_bytes, user_sig };
  const { status, body: answer } = await call(station, 'POST', '/v1/execute_tx', body);
  if (status !== 200) throw new Error(`execute answered ${status} ${JSON.stringify(answer)}`);
  return digest;
}
