import type { InFlight } from '../sweeping/list-in-flight.js';
import { escapeText, readEscaped } from '../scripts/escape-text.js';

/** An input, `objectId:version`, and the claim that it is locked for. */
export interface LockedInput {
  readonly input: string;
  readonly holder: InFlight;
}

export function writeHolder({ sponsor, reservationId, digest, fence }: InFlight): string {
  return [sponsor, reservationId, escapeText(digest), fence].join('|');
}

export function readHolder(text: string): InFlight {
  const [sponsor = '', reservationId, digest = '', fence] = text.split('|');
  return {
    sponsor,
    reservationId: Number(reservationId),
    digest: readEscaped(digest),
    fence: Number(fence),
  };
}

/** Of a pool's own list: input, reservation id, digest and fence, separated by tabs. */
export function readLockedInput(sponsor: string, text: string): LockedInput {
  const [input = '', reservationId, digest = '', fence] = text.split('\t');
  return {
    input: readEscaped(input),
    holder: {
      sponsor,
      reservationId: Number(reservationId),
      digest: readEscaped(digest),
      fence: Number(fence),
    },
  };
}
