import { awsKms } from './kinds/aws-kms.js';
import { azureKeyVault } from './kinds/azure-key-vault.js';
import { gcpKms } from './kinds/gcp-kms.js';
import { sidecar } from './kinds/sidecar.js';
import { vault } from './kinds/vault.js';
import type { KeyService, KeyServiceKind, ServiceEntry } from './key-service.js';

/** Every kind of key service, by the scheme of its URLs. A new one is a file of `kinds` and a line here. */
export const keyServiceKinds: ReadonlyMap<string, KeyServiceKind> = new Map<string, KeyServiceKind>(
  [
    ['sidecar', sidecar],
    ['vault', vault],
    ['aws-kms', awsKms],
    ['gcp-kms', gcpKms],
    ['azure-kv', azureKeyVault],
  ],
);

/** Prepares the service of an entry; calls nothing. */
export async function openKeyService(entry: ServiceEntry): Promise<KeyService> {
  return keyServiceKinds.get(entry.kind)!.open(entry);
}
