import { readFile } from 'node:fs/promises';
import { KeyServiceError } from '../key-service-error.js';

/** The value of a parameter, or the contents of the file that another one names; null without either. */
export async function readSecret(
  value: string | undefined,
  file: string | undefined,
): Promise<string | null> {
  if (value !== undefined || file === undefined) return value ?? null;
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new KeyServiceError('refused', `${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** A field of an answer that must be text. Throws `KeyServiceError`. */
export function requireText(answer: unknown, field: string): string {
  const value = (answer as Record<string, unknown> | null | undefined)?.[field];
  if (typeof value === 'string' && value !== '') return value;
  throw new KeyServiceError('malformed', `its answer has no ${field}`);
}
