import type { ServiceKind } from './entry-parameters.js';
import type { ServiceEntry } from './key-entries.js';
import type { KeyService, OpenKeyService } from './key-service.js';

/** Loads the code of a kind when its first key is used: the clients of clouds are large. */
const LOADERS: Readonly<Record<ServiceKind, () => Promise<OpenKeyService>>> = {
  sidecar: async () => (await import('./kinds/sidecar.js')).openSidecar,
  vault: async () => (await import('./kinds/vault.js')).openVault,
  'aws-kms': async () => (await import('./kinds/aws-kms.js')).openAwsKms,
  'gcp-kms': async () => (await import('./kinds/gcp-kms.js')).openGcpKms,
  'azure-kv': async () => (await import('./kinds/azure-key-vault.js')).openAzureKeyVault,
};

export async function openKeyService(entry: ServiceEntry): Promise<KeyService> {
  const open = await LOADERS[entry.kind]();
  return open(entry);
}
