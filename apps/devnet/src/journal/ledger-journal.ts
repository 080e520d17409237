import { DatabaseSync } from 'node:sqlite';

/** One change of the ledger; times in ms since 1970. */
export type JournalEntry =
  | {
      readonly kind: 'transaction';
      readonly timeMs: number;
      readonly bytes: Uint8Array;
      readonly signatures: readonly string[];
    }
  | { readonly kind: 'epoch'; readonly timeMs: number }
  | { readonly kind: 'clock'; readonly timeMs: number }
  /** A checkpoint without transactions. */
  | { readonly kind: 'checkpoint'; readonly timeMs: number }
  | { readonly kind: 'gas-price'; readonly price: bigint };

/** The parameters of a ledger's genesis. */
export interface LedgerBeginning {
  readonly seed: string;
  readonly genesisMs: number;
  /** Start of epoch 0. */
  readonly epochStartMs: number;
  /** In the smallest unit, as text. */
  readonly referenceGasPrice: string;
  readonly funds: readonly { readonly owner: string; readonly amount: string }[];
  /** Objects have the digests of nodes; absent from ledgers of older versions. */
  readonly digests?: 'bcs';
}

interface Row {
  readonly kind: JournalEntry['kind'];
  readonly time_ms: number;
  readonly bytes: Uint8Array | null;
  readonly text: string | null;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS beginning (id INTEGER PRIMARY KEY CHECK (id = 1), facts TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS journal (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, time_ms INTEGER NOT NULL, bytes BLOB, text TEXT
  ) STRICT;
`;

/** The history from which a ledger can be rebuilt. An entry is durable before a client can see its change. */
export class LedgerJournal {
  readonly #database: DatabaseSync;
  readonly #insert;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    this.#database.exec(SCHEMA);
    this.#insert = this.#database.prepare(
      'INSERT INTO journal (kind, time_ms, bytes, text) VALUES (?, ?, ?, ?)',
    );
  }

  /** Null in a new journal. */
  get beginning(): LedgerBeginning | null {
    const row = this.#database.prepare('SELECT facts FROM beginning').get();
    return row ? (JSON.parse(String(row['facts'])) as LedgerBeginning) : null;
  }

  begin(beginning: LedgerBeginning): void {
    this.#database.prepare('INSERT INTO beginning VALUES (1, ?)').run(JSON.stringify(beginning));
  }

  add(entry: JournalEntry): void {
    switch (entry.kind) {
      case 'transaction':
        return void this.#insert.run(
          entry.kind,
          entry.timeMs,
          entry.bytes,
          JSON.stringify(entry.signatures),
        );
      case 'epoch':
      case 'clock':
      case 'checkpoint':
        return void this.#insert.run(entry.kind, entry.timeMs, null, null);
      case 'gas-price':
        return void this.#insert.run(entry.kind, 0, null, String(entry.price));
    }
  }

  *entries(): Generator<JournalEntry> {
    const rows = this.#database
      .prepare('SELECT kind, time_ms, bytes, text FROM journal ORDER BY id')
      .iterate() as unknown as Iterable<Row>;
    for (const { kind, time_ms: timeMs, bytes, text } of rows) {
      if (kind === 'transaction') {
        const signatures = JSON.parse(text ?? '[]') as string[];
        yield { kind, timeMs, bytes: bytes ?? new Uint8Array(0), signatures };
      } else if (kind === 'gas-price') yield { kind, price: BigInt(text ?? 0) };
      else yield { kind, timeMs };
    }
  }

  close(): void {
    this.#database.close();
  }
}
