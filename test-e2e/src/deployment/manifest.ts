import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [field: string]: Json;
}

/** A Kubernetes object, or a part of one, as written. */
export interface Manifest extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: JsonObject & { name: string };
}

/** The folder of all deployment files. */
export const DOCKER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'docker');

/** The documents of a file, read by the rules of YAML 1.1 as kubectl and compose do (`0440` is octal). */
export function readYaml(file: string): JsonObject[] {
  return parseYaml(readFileSync(file, 'utf8'), file);
}

/** Like `readYaml`, for a text; errors name `source`. */
export function parseYaml(text: string, source: string): JsonObject[] {
  return parseAllDocuments(text, { version: '1.1' }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${source}: ${document.errors[0]!.message}`);
    return document.toJS() as JsonObject;
  });
}

/** `Deployment/gateway` */
export function nameOf({ kind, metadata }: Pick<Manifest, 'kind' | 'metadata'>): string {
  return `${kind}/${metadata.name}`;
}
