/** An entry of a stream: flat pairs of field and text. */
export interface StreamEntry {
  readonly id: string;
  readonly pairs: readonly string[];
}

/** The text of a field; empty for one that the entry lacks. */
export function fieldOf(pairs: readonly string[], name: string): string {
  const at = pairs.findIndex((text, index) => index % 2 === 0 && text === name);
  return at < 0 ? '' : pairs[at + 1]!;
}

/** Entries of one stream, for one reader of a group whose readers share them. */
export interface EntrySource {
  /** Of the stream, for logs, metrics and broken entries: the sponsor, or `refusals`. */
  readonly name: string;
  /**
   * The next entries, each of which no other reader gets, unless this one does not acknowledge it in time. Waits for the first one,
   * but not long. Rejects when Redis does not answer.
   */
  read(): Promise<readonly StreamEntry[]>;
  /** Deletes entries that are written. Rejects when Redis does not answer; repeating it is safe. */
  acknowledge(entries: readonly StreamEntry[]): Promise<void>;
  /** Ends a read that waits. */
  close(): void;
}
