import type { ComposeProject } from './compose-project.js';
import type { Docker } from './docker.js';

/** Versions of the software that the run depended on, by name. */
export async function readVersions(
  project: ComposeProject,
  docker: Docker,
): Promise<Readonly<Record<string, string>>> {
  const { stdout: redis } = await project.execute('redis', ['redis-server', '--version']);
  const { stdout: node } = await project.execute('gateway', ['node', '--version']);
  return {
    'Docker Engine': (await docker.run(['version', '--format', '{{.Server.Version}}'])).trim(),
    'Docker Compose': (await docker.run(['compose', 'version', '--short'])).trim(),
    'Redis in its container': /v=(\S+)/.exec(redis)?.[1] ?? redis.trim(),
    'Node in the image': node.trim(),
  };
}
