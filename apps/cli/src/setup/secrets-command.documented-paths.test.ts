import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { ROOT } from '../workspace/workspace-config.js';
import { redisUsersCommand } from './redis-users-command.js';
import { secretsCommand } from './secrets-command.js';

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  .filter((page) => !page.includes('node_modules'))
  .map((page) => [page, readFileSync(join(ROOT, page), 'utf8')] as const);
const compose = readFileSync(join(ROOT, 'docker', 'compose.yaml'), 'utf8');

let data: TemporaryFolder;
beforeAll(async () => {
  data = new TemporaryFolder();
  await secretsCommand().parseAsync(['--out', data.pathOf('secrets')], { from: 'user' });
  await redisUsersCommand().parseAsync(['--out', data.pathOf('redis-users')], { from: 'user' });
});
afterAll(() => data.remove());

const made = () => readdirSync(data.path, { recursive: true, encoding: 'utf8' });

/** The names that a pattern finds in the pages, each with its page. */
const named = (pattern: RegExp) =>
  pages.flatMap(([page, text]) => [...text.matchAll(pattern)].map((match) => ({ page, match })));

describe('the pages name', () => {
  it('only those files of secrets and of Redis users that the commands, or the pages themselves, write', () => {
    const paths = named(/(> )?\.data\/((?:secrets|redis-users)\/[\w./-]*\w)/g);
    const written = new Set(paths.flatMap(({ match }) => (match[1] ? [match[2]!] : [])));
    const present = new Set([...made(), ...written]);
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter(({ match }) => !present.has(match[2]!))).toEqual([]);
  });

  it('only those secrets of a container that Compose gives it', () => {
    const secrets = named(/exec (\S+) cat \/run\/secrets\/([\w.-]+)/g);
    expect(secrets.length).toBeGreaterThan(3);
    expect(compose).toContain("'redis-secrets:/run/secrets:ro'");
    const isMade = (service: string, name: string) => made().includes(`secrets/${service}/${name}`);
    expect(secrets.filter(({ match }) => !isMade(match[1]!, match[2]!))).toEqual([]);
  });

  it('only those volumes that Compose makes, and none with secrets for deletion', () => {
    const volumes = named(/docker volume rm ([\w ]+)/g).flatMap(({ match }) =>
      match[1]!.split(' '),
    );
    const data = [...compose.split('\nvolumes:\n')[1]!.matchAll(/^ {2}([\w-]+):$/gm)]
      .map(([, name]) => `forecourt_${name}`)
      .filter((name) => !name.endsWith('-secrets'));
    expect(volumes.length).toBeGreaterThan(0);
    expect(data).toEqual(expect.arrayContaining(volumes));
  });
});
