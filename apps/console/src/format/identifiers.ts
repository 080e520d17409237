/** The beginning and the end of a long identifier: `0x4f1c…92ab`. */
export function shorten(id: string, kept = 4): string {
  const head = id.startsWith('0x') ? kept + 2 : kept;
  return id.length <= head + kept + 1 ? id : `${id.slice(0, head)}…${id.slice(-kept)}`;
}

/** A Move name with a short package: `0x2::clock::timestamp_ms`. */
export function shortenFunction(name: string): string {
  return name.replaceAll(/0x[0-9a-fA-F]{1,64}/g, (address) => {
    const significant = address.replace(/^0x0+(?=.)/, '0x');
    return significant.length <= 10 ? significant : shorten(significant);
  });
}

/** The kind of command and what it calls: `MoveCall 0x2::clock::timestamp_ms` → both parts. */
export function readCommand(command: string): { readonly kind: string; readonly name: string } {
  const [kind = '', ...rest] = command.split(' ');
  return { kind, name: rest.join(' ') };
}
