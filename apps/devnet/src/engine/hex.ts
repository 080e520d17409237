/** `0x` and 64 hex digits of 32 bytes. */
export function toHexId(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;
}

/** The 32 bytes of a full id. */
export function fromHexId(id: string): Uint8Array {
  return Buffer.from(id.slice(2), 'hex');
}

/** The full form of an id or address; other text is returned unchanged. */
export function fullId(id: string): string {
  if (id.length === 66 && id.startsWith('0x')) return id.toLowerCase();
  const digits = id.replace(/^0x/i, '').toLowerCase();
  return /^[0-9a-f]{1,64}$/.test(digits) ? `0x${digits.padStart(64, '0')}` : id;
}
