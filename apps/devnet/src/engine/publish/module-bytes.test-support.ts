/** The smallest bytes that carry a module's name as a compiler writes it. */
export function moduleBytes(name: string): Uint8Array {
  const identifiers = [...Buffer.from(`\x04Pad_`), name.length, ...Buffer.from(name)];
  const handles = [0, 0, 0, 1];
  const tables = [
    [0x1, 0, handles.length],
    [0x7, handles.length, identifiers.length],
  ];
  return Uint8Array.from([
    0xa1,
    0x1c,
    0xeb,
    0x0b,
    6,
    0,
    0,
    0,
    tables.length,
    ...tables.flat(),
    ...handles,
    ...identifiers,
    // The module's own handle: the second.
    1,
  ]);
}
