import { describe, expect, it } from '@jest/globals';
import { readMessage } from './read-message.js';

describe('the message of a delivery', () => {
  it('is shown in lines, with the reservation that it is about', () => {
    const body = '{"type":"sponsorship.executed","data":{"reservation_id":7}}';
    const { text, reservationId } = readMessage(body);
    expect([JSON.parse(text), text.split('\n').length > 4, reservationId]).toEqual([
      JSON.parse(body),
      true,
      7,
    ]);
  });

  it.each([
    '{"type":"webhook.test","data":{"url":"x"}}',
    '{"data":{"reservation_id":"7"}}',
    'no',
    '1',
  ])('may be about none: %s', (body) => {
    expect(readMessage(body).reservationId).toBeNull();
  });
});
