import type { EndedSponsorship, StoredSponsorship } from '@forecourt/contracts';
import { createIotaCodec } from '@forecourt/ledger';
import { Transaction } from '@iota/iota-sdk/transactions';

export const codec = createIotaCodec();

export const full = (id: string) => `0x${id.padStart(64, '0')}`;
export const sponsor = full('5');
export const sender = full('a');
export const digest = 'GjDKTHdb6Kf3zi6gX3nbKhbt5qnQVWRLSaYSyV7nEQbz';

/** 2026-01-01, and the id of the first reservation of the sponsor with index 3 in that millisecond. */
export const reservedMs = Date.UTC(2026, 0, 1);
export const reservationId = 365 * 86_400_000 * 128 * 64 + 3;

/** Base64 bytes of a transaction of `sender`. */
export async function aTransaction(fill: (tx: Transaction) => void): Promise<string> {
  const tx = new Transaction();
  tx.setSender(sender);
  tx.setGasOwner(sponsor);
  tx.setGasPayment([{ objectId: full('c1'), version: 7, digest }]);
  tx.setGasBudget(5_000_000);
  tx.setGasPrice(1000);
  fill(tx);
  return Buffer.from(await tx.build()).toString('base64');
}

/** The lines of a trail, each at that many ms after the reservation. */
export function aTrail(...lines: [afterMs: number, ...fields: string[]][]): string {
  return lines.map(([after, ...rest]) => [reservedMs + after, ...rest].join('\t') + '\n').join('');
}

/** A reservation that no transaction was bound to. */
export function aReserved(over: Partial<StoredSponsorship> = {}): StoredSponsorship {
  return {
    id: String(reservationId),
    state: 'reserved',
    ended: '',
    caller: 'shop',
    budget: '5000000',
    sum: '30000000000',
    coins: `20000000000:12:${full('c1')}:7:${digest},10000000000:11:${full('c2')}:9:${digest}`,
    digest: '',
    transaction: '',
    rule: '',
    executor: '',
    result: '',
    counted: '',
    trail: '',
    ...over,
  };
}

/** The fields of an entry. */
export function anEntry(over: Partial<EndedSponsorship> = {}): EndedSponsorship {
  const ended = String(reservedMs + 60_000);
  return { ...aReserved(), v: '1', state: 'expired', ended, ...over };
}
