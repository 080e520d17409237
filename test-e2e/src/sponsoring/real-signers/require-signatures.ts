import { SignerSource } from '@forecourt/key-services';
import { buildProbe } from '@forecourt/ledger';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';

/**
 * Has an entry sign many transactions at once, and verifies them with the public SDK. Throws when one does
 * not verify.
 */
export async function requireSignatures(entry: string, count: number): Promise<string> {
  const faults: string[] = [];
  const source = new SignerSource({
    onRequest: (_signer, outcome) => void (outcome === 'signed' || faults.push(outcome)),
    onOutage: () => undefined,
  });
  const [signer] = source.read([entry]);
  const bytes = await buildProbe(signer!.address);
  const began = performance.now();
  const signatures = await Promise.all(
    Array.from({ length: count }, () => signer!.signTransaction(bytes)),
  );
  const ms = Math.round(performance.now() - began);
  for (const signature of signatures) {
    await verifyTransactionSignature(bytes, signature, { address: signer!.address });
  }
  const repeated = faults.length === 0 ? '' : `; repeated after ${faults.join(', ')}`;
  return `${count} signatures verify, in ${ms} ms${repeated}`;
}

/**
 * Has an entry sign one transaction after the other for a while, longer than its login lives. Throws when one
 * fails.
 */
export async function requireSignaturesFor(entry: string, ms: number): Promise<string> {
  const source = new SignerSource({ onRequest: () => undefined, onOutage: () => undefined });
  const [signer] = source.read([entry]);
  const until = performance.now() + ms;
  let count = 0;
  while (performance.now() < until) {
    await signer!.check();
    count += 1;
  }
  return `${count} signatures, one after the other for ${ms} ms`;
}

/** The fault with which an entry does not sign. Throws `Error` when it signs. */
export async function requireFault(entry: string, fault: string): Promise<string> {
  const source = new SignerSource({ onRequest: () => undefined, onOutage: () => undefined });
  const [signer] = source.read([entry]);
  const failure = await signer!.check().then(
    () => ({ fault: 'none' }),
    (error: unknown) => error as { readonly fault: string },
  );
  if (failure.fault !== fault) throw new Error(`expected ${fault}, got ${failure.fault}`);
  return `is refused: ${fault}`;
}
