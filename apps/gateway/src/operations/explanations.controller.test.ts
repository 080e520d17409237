import { describe, expect, it } from '@jest/globals';
import { digestInBase64 } from '@forecourt/contracts';
import { readSubject } from './explanations.controller.js';

const digest = '5Zu9k2yqkC6Nwn1ZqKZf1Yb1PpVY5qk8G2bVqW8tE4cC';
/** With a plus sign and a slash in base64. */
const awkward = Buffer.alloc(32, Buffer.from('fbff', 'hex')).toString('base64');

describe('the subject of an explanation', () => {
  it('accepts a digest in base58 and base64, also with unescaped plus signs', () => {
    expect(readSubject({ digest })).toEqual({ digest });
    expect(readSubject({ digest: digestInBase64(digest) })).toEqual({ digest });
    const escaped = readSubject({ digest: awkward });
    expect(awkward).toContain('+');
    expect(readSubject({ digest: awkward.replaceAll('+', ' ') })).toEqual(escaped);
  });

  it('accepts the id of a reservation', () => {
    expect(readSubject({ reservation_id: '487777254309888' })).toEqual({
      reservationId: 487777254309888,
    });
  });

  it.each([
    {},
    { digest, reservation_id: '64' },
    { digest: '' },
    { digest: [digest, digest] },
    { digest: digest.slice(0, 20) },
    { digest: `${digest}0` },
    { digest: '../../fc:sponsors' },
    { digest: 'x'.repeat(100_000) },
    { reservation_id: '0' },
    { reservation_id: '-64' },
    { reservation_id: '6.4' },
    { reservation_id: '1e3' },
    { reservation_id: '9999999999999999' },
    { reservation_id: ['64'] },
  ])('%j is refused', (query) => {
    expect(() => readSubject(query)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });
});
