import { createLogger } from '@forecourt/runtime/service';
import { usePostgres } from '@forecourt/testing/jest';
import { describe, expect, it } from '@jest/globals';
import type { ArgumentsHost } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { openDatabase } from '../history.test-support.js';
import { HistoryErrorFilter } from './history-error.filter.js';

const postgres = usePostgres();
const host = { switchToRpc: () => ({ getData: () => ({}) }) } as unknown as ArgumentsHost;

describe('a query that fails', () => {
  it.each([
    ['takes too long', 'SELECT pg_sleep(60)', 'INVALID_REQUEST', /takes longer than 12 s: ask for/],
    ['finds no tables', 'SELECT FROM nothing', 'HISTORY_UNREACHABLE', /^$/],
  ])('because it %s has an error for its caller', async (_name, statement, code, detail) => {
    const database = openDatabase(postgres.url);
    const client = await database.readers.connect();
    await client.query('SET statement_timeout = 20');
    const error: unknown = await client.query(statement).catch((one: unknown) => one);
    client.release();
    await database.close();
    const answer = new HistoryErrorFilter(createLogger('test', 'silent')).catch(error, host);
    await expect(lastValueFrom(answer)).rejects.toMatchObject({
      code,
      detail: expect.stringMatching(detail),
    });
  });
});
