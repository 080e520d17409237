import { isValidTransactionDigest, normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { invalidParams } from '@forecourt/contracts';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const HEX_ADDRESS = /^(0x)?[0-9a-fA-F]{1,64}$/;

/** Every reader takes a value and the parameter's name, and throws -32602 for an invalid value. */
export function readAddress(value: unknown, name: string): string {
  if (typeof value !== 'string' || !HEX_ADDRESS.test(value)) {
    throw invalidParams(`Invalid params: ${name}: expected a hex address, got ${show(value)}`);
  }
  return normalizeIotaAddress(value);
}

export function readDigest(value: unknown, name: string): string {
  if (typeof value !== 'string' || !isValidTransactionDigest(value)) {
    throw invalidParams(`Invalid params: ${name}: expected a base58 digest, got ${show(value)}`);
  }
  return value;
}

export function readText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') {
    throw invalidParams(`Invalid params: ${name}: expected a string, got ${show(value)}`);
  }
  return value;
}

export function readBytes(value: unknown, name: string): Uint8Array {
  const text = readText(value, name);
  if (text.length % 4 !== 0 || !BASE64.test(text)) {
    throw invalidParams(`Invalid params: ${name}: expected base64`);
  }
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

/** A non-negative integer, as a JSON number or its decimal string. */
export function readInteger(value: unknown, name: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return BigInt(value);
  throw invalidParams(`Invalid params: ${name}: expected an unsigned integer, got ${show(value)}`);
}

export function readList<T>(
  value: unknown,
  name: string,
  max: number,
  read: (item: unknown, name: string) => T,
): T[] {
  if (!Array.isArray(value)) {
    throw invalidParams(`Invalid params: ${name}: expected an array, got ${show(value)}`);
  }
  if (value.length > max) {
    throw invalidParams(`Input exceeds limit of ${max}`);
  }
  return value.map((item, index) => read(item, `${name}[${index}]`));
}

/** Null for null and absent values, which have the same meaning everywhere. */
export function optional<T>(
  value: unknown,
  name: string,
  read: (value: unknown, name: string) => T,
): T | null {
  return value === null || value === undefined ? null : read(value, name);
}

export function readObject(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParams(`Invalid params: ${name}: expected an object, got ${show(value)}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

/** The flags of these names; those that are absent are false. */
export function readFlags<Name extends string>(
  value: unknown,
  name: string,
  names: readonly Name[],
): Readonly<Record<Name, boolean>> {
  const flags = optional(value, name, readObject) ?? {};
  return Object.fromEntries(names.map((flag) => [flag, flags[flag] === true])) as Record<
    Name,
    boolean
  >;
}

/** The size of a page: `limit`, at most `max`, or `max` when it is absent. Throws -32602 for 0. */
export function readLimit(value: unknown, max: number): number {
  const limit = optional(value, 'limit', readInteger);
  if (limit === null) return max;
  if (limit < 1n) throw invalidParams('Page size limit cannot be smaller than 1');
  return Number(limit > BigInt(max) ? BigInt(max) : limit);
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
}
