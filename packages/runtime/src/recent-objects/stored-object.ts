import type { RecentObject } from '@forecourt/ledger';

/** `version digest owner`, the owner as JSON. */
const STORED = /^(\d{1,16}) (\S*) (.+)$/s;

export function writeRecentObject({ version, digest, owner }: RecentObject): string {
  return `${version} ${digest} ${JSON.stringify(owner)}`;
}

/** Null: absent, or in a format of another release. */
export function readRecentObject(objectId: string, text: string | null): RecentObject | null {
  const [, version, digest, owner] = STORED.exec(text ?? '') ?? [];
  if (version === undefined || digest === undefined || owner === undefined) return null;
  try {
    return { objectId, version: Number(version), digest, owner: JSON.parse(owner) as unknown };
  } catch {
    return null;
  }
}
