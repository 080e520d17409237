/** An invalid request to the control interface; the message names the field. */
export class InvalidControlRequest extends Error {
  override readonly name = 'InvalidControlRequest';
}

export type Body = Readonly<Record<string, unknown>>;

/** Every reader throws `InvalidControlRequest` for an invalid value. Absent and null values are undefined. */
export function readBody(body: unknown): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidControlRequest('the body must be a JSON object');
  }
  return body as Body;
}

/** One of the names of `choices`. */
export function readChoice<T extends string>(
  body: Body,
  field: string,
  choices: Readonly<Record<T, unknown>>,
): T | undefined {
  const value = readText(body, field);
  if (value === undefined || Object.hasOwn(choices, value)) return value as T | undefined;
  throw new InvalidControlRequest(
    `"${field}" must be one of ${Object.keys(choices).join(', ')}, got "${value}"`,
  );
}

export function readText(body: Body, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidControlRequest(`"${field}" must be a non-empty string`);
}

export function readInteger(body: Body, field: string, min: number): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
  throw new InvalidControlRequest(`"${field}" must be an integer of at least ${min}`);
}

export function readFlag(body: Body, field: string): boolean | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw new InvalidControlRequest(`"${field}" must be true or false`);
}

/** A required integer. */
export function requireInteger(body: Body, field: string, min: number): number {
  const value = readInteger(body, field, min);
  if (value === undefined) throw new InvalidControlRequest(`"${field}" is missing`);
  return value;
}
