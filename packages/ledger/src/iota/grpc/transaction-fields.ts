/** The parts of a transaction in the names of JSON-RPC. */
export interface ShowOptions {
  readonly showInput?: boolean;
  readonly showEffects?: boolean;
  readonly showEvents?: boolean;
  readonly showObjectChanges?: boolean;
  readonly showBalanceChanges?: boolean;
}

/** The fields of a transaction for each option, of those that all versions of nodes have. */
const FIELDS_OF: Readonly<Record<keyof ShowOptions, readonly string[]>> = {
  showInput: ['transaction.bcs', 'signatures'],
  showEffects: ['effects.bcs'],
  // The digest in the effects tells a transaction without events from one whose events are missing.
  showEvents: ['events.events.bcs', 'effects.bcs'],
  showObjectChanges: ['transaction.bcs', 'effects.bcs', 'output_objects.bcs'],
  showBalanceChanges: ['effects.bcs', 'input_objects.bcs', 'output_objects.bcs'],
};
/** The read mask for these parts, with the digest, the checkpoint and its time. */
export function transactionFields(options: ShowOptions): string[] {
  const shown = (Object.keys(FIELDS_OF) as (keyof ShowOptions)[]).filter((key) => options[key]);
  const fields = shown.flatMap((key) => FIELDS_OF[key]);
  return [...new Set(['transaction.digest', 'checkpoint', 'timestamp', ...fields])];
}
