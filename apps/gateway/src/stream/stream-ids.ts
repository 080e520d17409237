import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { describeArrived, ForecourtError, type StreamPlaces } from '@forecourt/contracts';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Far more than the places of all sponsors take. */
const LONGEST = 8_192;
const IS_ID = /^[\w-]+$/;
const PLACE = /^(?<name>\w{1,16}):(?<place>\d{1,16}-\d{1,16})$/;

/**
 * The ids of events: each names a place in every stream. Any gateway reads them, for any caller. They are encrypted, because
 * the places show when the sponsorships of others changed.
 */
@Injectable()
export class StreamIds {
  /** The first writes. */
  readonly #keys: readonly Buffer[];

  constructor(@Inject(GATEWAY_CONFIG) { fleetSecrets }: Pick<GatewayConfig, 'fleetSecrets'>) {
    // A fleet without a secret is one for development.
    const secrets = fleetSecrets.length > 0 ? fleetSecrets : [''];
    this.#keys = secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', 'ids of stream events', 32)),
    );
  }

  write(places: StreamPlaces): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keys[0]!, nonce);
    const text = Object.entries(places).map(([name, place]) => `${name}:${place}`);
    const sealed = [cipher.update(text.join(',')), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat([nonce, ...sealed]).toString('base64url');
  }

  /** Throws INVALID_REQUEST for anything that no gateway has written. */
  read(id: string): StreamPlaces {
    const text = id.length <= LONGEST && IS_ID.test(id) ? this.open(id) : null;
    if (text !== null) return parsePlaces(text);
    const problem = `Last-Event-ID must be the id of an event of this stream; got ${describeArrived(id)}`;
    throw new ForecourtError('INVALID_REQUEST', `${problem}. Without it, the stream begins now`);
  }

  private open(id: string): string | null {
    const sealed = Buffer.from(id, 'base64url');
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
    for (const key of this.#keys) {
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString();
      } catch {
        // Written with another secret, or made up.
      }
    }
    return null;
  }
}

function parsePlaces(text: string): StreamPlaces {
  const places = text.split(',').flatMap((one) => {
    const { name, place } = PLACE.exec(one)?.groups ?? {};
    return name === undefined || place === undefined ? [] : [[name, place] as const];
  });
  return Object.fromEntries(places);
}
