/** First half of the keys of the index's advisory locks. */
const OWN = 0x66657674;

type LockKey = readonly [number, number];

/** Advisory locks of the database. */
export const INDEX_LOCKS = {
  migration: [OWN, 1] as LockKey,
  partitions: [OWN, 2] as LockKey,
  /** Held by the session of the only process that writes. */
  writer: [OWN, 3] as LockKey,
};
