import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { DOCKER } from './manifest.js';

export const DOCKERFILE = readFileSync(join(DOCKER, 'Dockerfile'), 'utf8');

/** The defaults with which the image starts. */
export function imageDefaults() {
  const dockerfile = DockerfileParser.parse(DOCKERFILE);
  const last = dockerfile.getInstructions().findLastIndex((one) => one.getKeyword() === 'FROM');
  const final = dockerfile.getInstructions().slice(last);
  const argumentsOf = (keyword: string) =>
    final.findLast((one) => one.getKeyword() === keyword)?.getArgumentsContent() ?? '';
  return {
    entrypoint: JSON.parse(argumentsOf('ENTRYPOINT')) as string[],
    args: JSON.parse(argumentsOf('CMD')) as string[],
    user: argumentsOf('USER'),
    folder: argumentsOf('WORKDIR'),
    environment: Object.fromEntries(
      argumentsOf('ENV')
        .split(/\s+/)
        .map((pair) => pair.split('=') as [string, string]),
    ),
  };
}
