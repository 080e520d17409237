/** An invalid request to the control interface; the message names the field. */
export class InvalidControlRequest extends Error {
  override readonly name = 'InvalidControlRequest';
}
