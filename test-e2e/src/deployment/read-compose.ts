import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@forecourt/testing/system';
import { parse } from 'yaml';
import { APPS } from './app-configurations.js';
import { DOCKER } from './manifest.js';

export interface BindMount {
  type: 'bind';
  source: string;
  target: string;
}
export interface Service {
  image: string;
  command: string[];
  user?: string;
  environment?: Record<string, string>;
  ports?: string[];
  restart: string;
  extra_hosts?: string[];
  volumes?: (string | BindMount)[];
  tmpfs?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck: {
    test: string[];
    interval: string;
    start_period: string;
    start_interval: string;
  };
  profiles?: string[];
  stop_grace_period: string;
}
export interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

/** A Compose file with its anchors resolved, and its variables as the user's environment sets them. */
export function readCompose(file: string, user: Readonly<Record<string, string>> = {}): Compose {
  const text = substitute(readFileSync(join(DOCKER, file), 'utf8'), user);
  return parse(text, { merge: true, version: '1.1' }) as Compose;
}

/** Replaces variables, the inner ones first: `${A:-usual}` and `${A:+instead}`. */
function substitute(text: string, user: Readonly<Record<string, string>>): string {
  const changed = text.replaceAll(
    /\$\{(\w+):([-+])([^${}]*)\}/g,
    (_all, name: string, kind: string, other: string) =>
      kind === '+' ? (user[name] ? other : '') : user[name] || other,
  );
  return changed === text ? text : substitute(changed, user);
}

/** The volume of a service that is mounted at this path. */
export function volumeAt(service: Service, path: string): string | undefined {
  const texts = (service.volumes ?? []).filter((volume) => typeof volume === 'string');
  return texts.find((volume) => volume.split(':')[1] === path)?.split(':')[0];
}

/** The services that are apps of this project. */
export function appsOf({ services }: Compose): [App, Service][] {
  return Object.entries(services).filter(([name]) => name in APPS) as [App, Service][];
}
