import type { IotaClient } from '@iota/iota-sdk/client';

/** See `Ledger.checkpointTime`. */
export async function readCheckpointTime(client: IotaClient): Promise<number> {
  const id = await client.getLatestCheckpointSequenceNumber();
  const { timestampMs } = await client.getCheckpoint({ id });
  return Number(timestampMs);
}
