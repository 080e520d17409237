/** A Move event as a node shows it. */
export function eventOf(digest: string, sender: string) {
  return {
    id: { txDigest: digest, eventSeq: '0' },
    packageId: '0xabc',
    transactionModule: 'garage',
    sender,
    type: '0xabc::garage::CarDriven',
    parsedJson: { distance: '7' },
    bcsEncoding: 'base64',
    bcs: 'Bw==',
  };
}
