import { type Database, Partitions } from '@forecourt/history/database';
import { insertSponsorships } from '@forecourt/history/writing';
import { say } from '../run-benchmark.js';
import { sampleSponsorship, type SampleSettings } from './sample-sponsorships.js';

const BATCH = 2_000;
const SAY_EVERY = 100_000;

/** Writes the records in the order of their time, as history does. */
export async function fillHistory(database: Database, settings: SampleSettings): Promise<void> {
  const partitions = new Partitions(database);
  const { records } = settings;
  for (let begin = 0; begin < records; begin += BATCH) {
    const length = Math.min(BATCH, records - begin);
    const batch = Array.from({ length }, (_, offset) => {
      const sponsorship = sampleSponsorship(begin + offset, settings);
      return { sponsorship, decision: null, transaction: '' };
    });
    await partitions.ensure(batch.map(({ sponsorship: { created_at: time } }) => time));
    await database.transaction((client) => insertSponsorships(client, batch));
    if (begin % SAY_EVERY === 0) say(`${begin} of ${records} records …`);
  }
  // As autovacuum does soon afterwards.
  await database.pool.query('VACUUM ANALYZE');
}
