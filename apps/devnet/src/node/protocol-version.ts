import type { NodeProfile } from './node-profile.js';

/** The protocol with certificates; the SDK asks for system state V2 from version 5 on. */
const WITH_CERTIFICATES = 20;
/** The first protocol without. */
const CERTIFICATELESS = 32;

/** The protocol version of a network whose nodes have this profile. */
export function protocolVersionOf({ certificateless }: NodeProfile): number {
  return certificateless ? CERTIFICATELESS : WITH_CERTIFICATES;
}
