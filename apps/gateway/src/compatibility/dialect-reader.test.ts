import { describe, expect, it } from '@jest/globals';
import { ReserveGasRequest } from '@forecourt/contracts/http';
import { DialectReader, type RoutedRequest } from './dialect-reader.js';
import { ReadBody } from '../http/read-body.js';
import { UnreadBody } from '../http/unread-body.js';

const FIVE_COINS = 5_000_000_000;
const reader = new DialectReader(FIVE_COINS);

const requestTo = (url: string, body: unknown) =>
  ({ body, routeOptions: { url } }) satisfies RoutedRequest;

/** The body as the DTO of its route gets it. */
function read(url: string, body: unknown): unknown {
  const request = requestTo(url, body);
  reader.read(request);
  return request.body;
}

/** The budget that a reservation gets, or why it is refused. */
function budgetOf(body: object): unknown {
  const request = requestTo('/v1/reserve_gas', { reserve_duration_secs: 60, ...body });
  try {
    reader.read(request);
  } catch (error) {
    return (error as Error).message;
  }
  const read = new ReadBody().transform(request.body, {
    type: 'body',
    metatype: ReserveGasRequest,
  });
  return (read as ReserveGasRequest).gas_budget;
}

describe('requests of clients of public gas stations', () => {
  it.each(['waitforlocalexecution', 'WaitForLocalExecution', 'waitForLocalExecution'])(
    'may write the request type in any case: %s',
    (written) => {
      for (const name of ['request_type', 'requestType']) {
        expect(read('/v1/execute_tx', { [name]: written })).toEqual({
          [name]: 'waitForLocalExecution',
        });
      }
    },
  );

  it('may send a reservation id as text', () => {
    for (const url of ['/v1/execute_tx', '/v1/release_gas']) {
      expect(read(url, { reservation_id: '490528726327296' })).toEqual({
        reservation_id: 490_528_726_327_296,
      });
    }
  });

  it('keep values without another meaning, for their route to refuse', () => {
    const odd = { reservation_id: '0x40', request_type: 'wait', requestType: 1 };
    expect(read('/v1/execute_tx', { ...odd })).toEqual(odd);
    for (const body of [[], null, 'text', new UnreadBody('text/plain')]) {
      expect(read('/v1/reserve_gas', body)).toBe(body);
    }
  });

  it.each([1, 1_999_999_999, 2_000_000_000, FIVE_COINS])(
    'may reserve for a budget up to the operator’s limit: %d',
    (gas_budget) => expect(budgetOf({ gas_budget })).toBe(gas_budget),
  );

  it.each([0, FIVE_COINS + 1, 1.5, '5', undefined])(
    'get an error with this port’s bound for other budgets: %p',
    (gas_budget) => expect(budgetOf({ gas_budget })).toContain('from 1 to 5000000000; got'),
  );

  it('get every problem of a reservation in one error', () => {
    expect(budgetOf({ gas_budget: 0, reserve_duration_secs: 0 })).toMatch(
      /gas_budget must.*; reserve_duration_secs must/,
    );
  });
});
