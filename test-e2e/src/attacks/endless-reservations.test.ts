import { describe, expect, it } from '@jest/globals';
import {
  buildSponsored,
  call,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { system } from '../support/systems/token-system.js';
import { applicationOf } from '../support/tokens-file.js';

/** Of the token `endless`. */
const UNUSED_PER_MINUTE = 3;
const as = (name: string) => applicationOf(name, system.application);

describe('a caller that reserves and releases again and again', () => {
  it('leaves no more unused reservations than its limit, and one more for each that it executes', async () => {
    const endless = as('endless');
    const used = await reserved(endless);
    for (let n = 0; n < UNUSED_PER_MINUTE; n++) {
      const { reservation_id: id } = await reserved(endless);
      const { body } = await call(endless, 'POST', '/v1/release_gas', { reservation_id: id });
      expect(body.result).toMatchObject({ released: true });
    }
    const refused = await reserveGas(endless);
    expect([refused.status, refused.headers.get('error-code'), refused.body.error]).toEqual([
      429,
      'RESERVATION_LIMIT',
      'Token has reached its reservation limit (unused-per-minute); try again later',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await sponsor(as('shop'))).answer.status).toBe(200);
    const transaction = await buildSponsored(endless, used);
    expect((await executeTx(endless, used, transaction)).status).toBe(200);
    expect((await reserveGas(endless)).status).toBe(200);
  });
});
