import { ConfigError } from '@forecourt/runtime/config';
import type { DevnetConfig } from '../devnet-config.js';
import { Engine } from '../engine/engine.js';
import { type JournalEntry, type LedgerBeginning, LedgerJournal } from './ledger-journal.js';

/**
 * Opens the ledger stored in `path`: rebuilds it from its journal and continues the journal. Throws
 * `ConfigError` when the settings do not match the stored ledger.
 */
export function openDurableLedger(
  path: string,
  config: DevnetConfig,
  newBeginning: LedgerBeginning,
): { readonly engine: Engine; readonly close: () => void } {
  const journal = new LedgerJournal(path);
  const kept = journal.beginning;
  if (kept) checkMatches(kept, newBeginning, config);
  else journal.begin(newBeginning);
  const beginning = kept ?? newBeginning;
  let time: number | null = beginning.genesisMs;
  const engine = new Engine({
    seed: beginning.seed,
    epochStartMs: beginning.epochStartMs,
    now: () => time ?? Date.now(),
    referenceGasPrice: BigInt(beginning.referenceGasPrice),
    genesisFunds: beginning.funds.map(({ owner, amount }) => ({ owner, amount: BigInt(amount) })),
    ...(config.epochSeconds !== null && { epochDurationMs: config.epochSeconds * 1000 }),
  });
  for (const entry of journal.entries()) {
    if ('timeMs' in entry) time = entry.timeMs;
    applyAgain(engine, entry);
  }
  time = null;
  engine.changes.on('executed', ({ data, bytes, signatures, timestampMs: timeMs }) => {
    const isSystems = data.kind.ProgrammableTransaction === undefined;
    if (!isSystems) journal.add({ kind: 'transaction', timeMs, bytes, signatures });
  });
  engine.changes.on('epoch', () =>
    journal.add({ kind: 'epoch', timeMs: engine.systemState().epochStartMs }),
  );
  engine.changes.on('clock', (timeMs) => journal.add({ kind: 'clock', timeMs }));
  engine.changes.on('checkpoint', ({ transactions, timestampMs: timeMs }) => {
    if (transactions.length === 0) journal.add({ kind: 'checkpoint', timeMs });
  });
  engine.changes.on('gasPrice', (price) => journal.add({ kind: 'gas-price', price }));
  return { engine, close: () => journal.close() };
}

function applyAgain(engine: Engine, entry: JournalEntry): void {
  switch (entry.kind) {
    case 'transaction':
      return engine.executeAgain(entry.bytes, entry.signatures);
    case 'clock':
      return engine.advanceClock(entry.timeMs);
    case 'checkpoint':
      return void engine.sealCheckpoint(true);
    case 'epoch':
      return void engine.advanceEpoch();
    case 'gas-price':
      return engine.setReferenceGasPrice(entry.price);
  }
}

function checkMatches(
  kept: LedgerBeginning,
  beginning: LedgerBeginning,
  config: DevnetConfig,
): void {
  if (kept.digests !== beginning.digests) {
    throw new ConfigError([
      'DEVNET_DATA_DIR contains a ledger of an older version, whose objects have other digests; set another folder or delete this one',
    ]);
  }
  const differing = [
    ...(config.seed !== null && config.seed !== kept.seed ? ['DEVNET_SEED'] : []),
    ...(JSON.stringify(kept.funds) !== JSON.stringify(beginning.funds)
      ? ['DEVNET_GENESIS_FUNDS']
      : []),
  ];
  if (differing.length === 0) return;
  throw new ConfigError([
    `DEVNET_DATA_DIR contains a ledger with a different ${differing.join(' and ')}; set another folder or delete this one`,
  ]);
}
