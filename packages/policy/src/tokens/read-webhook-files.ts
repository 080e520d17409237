import { dirname, resolve } from 'node:path';
import type { WebhookEvent } from '@forecourt/contracts';
import { readConfigured, WITHOUT_TOKENS } from './read-access-files.js';
import { VersionedFiles } from './versioned-files.js';
import { readTokenFile } from './read-token-file.js';
import { readSecretFile, type Webhook } from './read-webhooks.js';

/** A webhook with its owner and its secrets. */
export interface ConfiguredWebhook {
  /** Name of the token that it belongs to; null: the fleet. */
  readonly token: string | null;
  /** With user name and password. */
  readonly url: string;
  /** Without them. */
  readonly shownUrl: string;
  readonly events: readonly WebhookEvent[];
  /** One, or two while the receiver changes from one to the other. */
  readonly secrets: readonly string[];
}

/** All webhooks, and the files that they were read from. */
export interface WebhookFiles {
  readonly webhooks: readonly ConfiguredWebhook[];
  /** File → the version that was read, as `findFileVersion` returns it. */
  readonly versions: ReadonlyMap<string, string>;
}

/**
 * Reads the webhooks in the file of tokens, and their files of secrets, whose paths are relative to its
 * folder. Null: the file is not configured. Throws `Error` naming the variable, the place and the reason.
 */
export async function readWebhookFiles(tokensFile: string | null): Promise<WebhookFiles> {
  const files = new VersionedFiles();
  const variable = 'TOKENS_FILE';
  const { webhooks } = await readConfigured(
    files,
    variable,
    tokensFile,
    WITHOUT_TOKENS,
    readTokenFile,
  );
  const folder = dirname(resolve(tokensFile ?? ''));
  const all = [...webhooks].flatMap(([token, owned]) => owned.map((one) => ({ token, ...one })));
  const configured = all.map(async ({ token, url, shownUrl, events, secrets }) => {
    const values = await readSecrets(files, secrets, folder).catch((cause: Error) => {
      const owner = token === null ? 'fleet-webhooks' : `the webhooks of token ${token}`;
      throw new Error(`${variable}: ${owner}, ${shownUrl}: ${cause.message}`, { cause });
    });
    return { token, url, shownUrl, events, secrets: values };
  });
  return { webhooks: await Promise.all(configured), versions: files.versions };
}

async function readSecrets(
  files: VersionedFiles,
  secrets: Webhook['secrets'],
  folder: string,
): Promise<readonly string[]> {
  if ('values' in secrets) return secrets.values;
  const path = resolve(folder, secrets.file);
  const text = await files.read(path).catch((cause: Error) => {
    throw new Error(`secret-file cannot be read: ${cause.message}`, { cause });
  });
  try {
    return readSecretFile(text.toString('utf8'));
  } catch (cause) {
    throw new Error(`secret-file ${path} ${(cause as Error).message}`, { cause });
  }
}
