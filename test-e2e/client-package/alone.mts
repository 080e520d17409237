import * as client from '@forecourt/client';
import * as digests from '@forecourt/client/digests';

console.log([...Object.keys(client), ...Object.keys(digests)].join(' '));
