/** Why a place of the key has not signed. */
export const signingFaults = [
  'unreachable',
  'timeout',
  'throttled',
  /** Too many signatures are in flight. */
  'overloaded',
  /** The service denies the request. */
  'refused',
  'malformed',
  'wrong_key',
  'wrong_signature',
  'high_s',
] as const;
export type SigningFault = (typeof signingFaults)[number];

/** A sponsor's key cannot sign at the moment. Nothing was signed that this process will submit. */
export class SigningFailed extends Error {
  override readonly name = 'SigningFailed';

  /** `signer`: names the place of the key, without secrets. `retryAfterMs`: when it may be asked again. */
  constructor(
    readonly signer: string,
    readonly fault: SigningFault,
    detail: string,
    readonly retryAfterMs: number,
  ) {
    super(`Signer ${signer} has not signed (${fault}): ${detail}`);
  }
}
