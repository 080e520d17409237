import { describe, expect, it } from '@jest/globals';
import type { Manifest } from '../manifest.js';
import { readVariant } from '../variants.js';
import { environmentOf, secretFilesOf, workloadsOf } from '../workload.js';

const SECRET = 'forecourt-events-database';

describe('the index of events', () => {
  const indexed = readVariant('production-additions');

  it('gives the database of the index to the events service only', () => {
    const having = workloadsOf(indexed).filter((workload) =>
      [...secretFilesOf(workload).values()].some(({ secret }) => secret === SECRET),
    );
    expect(having.map(({ name }) => name)).toEqual(['events']);
    expect(secretFilesOf(having[0]!).get('/run/secrets/database/url')).toEqual({
      secret: SECRET,
      key: 'url',
    });
  });

  it('is what turns the index on', () => {
    const settings = (objects: readonly Manifest[]) => {
      const events = workloadsOf(objects).find(({ name }) => name === 'events')!;
      return Object.keys(environmentOf(events, objects)).filter((name) =>
        /INDEX|DATABASE/.test(name),
      );
    };
    expect(settings(indexed)).toEqual(
      expect.arrayContaining(['EVENTS_DATABASE_URL_FILE', 'EVENTS_INDEX_FROM']),
    );
    expect(settings(readVariant('production'))).toEqual([]);
  });
});
