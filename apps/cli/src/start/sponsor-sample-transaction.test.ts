import { expect, it } from '@jest/globals';
import { describeEvent } from './sponsor-sample-transaction.js';

it('an event is shown with its digest in base58, as in the other lines of npm start', () => {
  const event = { timestamp: 1, txDigest: '2elD0Ft9LNTcPR7AfVouihRAPhbPYQf4JDWnRX7+Q8A=', id: 5 };
  expect(JSON.parse(describeEvent(event))).toEqual({
    ...event,
    txDigest: 'FfdmitW4tVYB6sonWD1RtQGLEAwHxDj6PXUnSHbYJDb5',
  });
});
