import { describe, expect, it } from '@jest/globals';
import { resolveVariant } from './variants.js';
import { environmentOf, secretFilesOf, workloadsOf } from './workload.js';

const SECRET = 'forecourt-events-database';

describe('the component events-index', () => {
  const indexed = resolveVariant({ overlay: 'production', components: ['events-index'] });

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
    const settings = (components: string[]) => {
      const objects = resolveVariant({ overlay: 'production', components });
      const events = workloadsOf(objects).find(({ name }) => name === 'events')!;
      return Object.keys(environmentOf(events, objects)).filter((name) =>
        /INDEX|DATABASE/.test(name),
      );
    };
    expect(settings(['events-index'])).toEqual(
      expect.arrayContaining(['EVENTS_DATABASE_URL_FILE', 'EVENTS_INDEX_FROM']),
    );
    expect(settings([])).toEqual([]);
  });
});
