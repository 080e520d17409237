import { describe, expect, it } from '@jest/globals';
import {
  EpochSchema,
  ExecutedTransactionSchema,
  GetServiceInfoResponseSchema,
  ObjectSchema,
  SimulatedTransactionSchema,
} from '@forecourt/ledger/node-messages';
import { ReadMask } from './read-mask.js';

const OLD = { version: '2025' } as const;
const NEW = { version: '2026' } as const;
const read = (paths: readonly string[], schema = ExecutedTransactionSchema, profile = OLD) =>
  ReadMask.read({ paths }, [], schema, profile);

describe('ReadMask', () => {
  it.each([
    'transaction',
    'transaction.digest',
    'signatures',
    'signatures.bcs',
    'effects.bcs',
    'events.digest',
    'events.events',
    'events.events.json_contents',
    'checkpoint',
    'input_objects',
    'input_objects.reference',
    'output_objects.bcs',
    'output_objects.reference.version',
  ])('knows the path %s', (path) => {
    expect(() => read([path])).not.toThrow();
  });

  it.each([
    'unknown',
    '',
    'signatures.signatures',
    'signatures.signatures.bcs',
    'events.json_contents',
    'input_objects.objects.bcs',
    'checkpoint.number',
  ])('refuses the path %p and names it', (path) => {
    expect(() => read(['transaction', path])).toThrow(`invalid read_mask path: ${path}`);
    expect(() => read(['*', path])).toThrow(`invalid read_mask path: ${path}`);
  });

  it.each(['object_changes', 'balance_changes'])('knows %s in newer nodes only', (path) => {
    expect(() => read([path])).toThrow(`invalid read_mask path: ${path}`);
    const ofSimulation = `executed_transaction.${path}`;
    const simulated = (profile: typeof OLD | typeof NEW) =>
      ReadMask.read({ paths: [ofSimulation] }, [], SimulatedTransactionSchema, profile);
    expect(() => simulated(OLD)).toThrow(`invalid read_mask path: ${ofSimulation}`);
    expect(simulated(NEW).under('executed_transaction').asks(path)).toBe(true);
  });

  it.each([
    [EpochSchema, 'epoch_duration'],
    [ObjectSchema, 'owner'],
    [GetServiceInfoResponseSchema, 'server.version'],
  ])('refuses fields that a message does not have: %#', (schema, path) => {
    expect(() => ReadMask.read({ paths: [path] }, [], schema, OLD)).toThrow(path);
  });

  it('asks for nothing if it is empty, and for the usual parts if it is absent', () => {
    const empty = read([]);
    expect([empty.asks('effects'), empty.isWhole]).toEqual([false, false]);
    const usual = ReadMask.read(undefined, ['effects.bcs'], ExecutedTransactionSchema, OLD);
    expect([usual.asks('effects'), usual.asks('events')]).toEqual([true, false]);
    expect(read(['*']).isWhole).toBe(true);
  });

  it('clears what is not asked for, through lists', () => {
    const parts = {
      effects: { digest: { digest: Uint8Array.of(1) }, bcs: { data: Uint8Array.of(2) } },
      inputObjects: { objects: [{ reference: { version: 3n }, bcs: { data: Uint8Array.of(4) } }] },
    };
    const maskedTransaction = read(['effects.bcs', 'input_objects.reference']).pick(
      ExecutedTransactionSchema,
      parts,
    );
    expect(maskedTransaction.effects!.digest).toBeUndefined();
    expect(maskedTransaction.effects!.bcs!.data).toEqual(Uint8Array.of(2));
    expect(maskedTransaction.inputObjects!.objects[0]!.reference!.version).toBe(3n);
    expect(maskedTransaction.inputObjects!.objects[0]!.bcs).toBeUndefined();
  });

  it('tells parts that are asked for by name from those that everything includes', () => {
    const paths = ['protocol_config.attributes.max_tx_gas'];
    const config = ReadMask.read({ paths }, [], EpochSchema, OLD).under('protocol_config');
    expect([config.names('attributes'), config.names('feature_flags')]).toEqual([true, false]);
    expect(config.under('attributes').asks('max_tx_size_bytes')).toBe(false);
    expect(ReadMask.read({ paths: ['*'] }, [], EpochSchema, OLD).names('committee')).toBe(false);
  });
});
