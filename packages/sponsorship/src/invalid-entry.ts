/** The stored text of a field cannot be read; `message` names the field. */
export class InvalidEntry extends Error {
  override readonly name = 'InvalidEntry';

  constructor(field: string, stored: string) {
    super(`${field} cannot be read: ${JSON.stringify(stored.slice(0, 200))}`);
  }
}
