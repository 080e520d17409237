import { COPY, FOLDER } from './back-up-redis.js';
import type { ComposeProject } from './compose-project.js';

const SERVICE = 'redis';

/** Stops Redis, replaces its data with the copy and restarts it, while the services keep running. */
export async function restoreRedis(project: ComposeProject): Promise<void> {
  await project.stop(SERVICE);
  const replace = `rm -r ${FOLDER} && cp -a ${COPY} ${FOLDER}`;
  await project.runInstead(SERVICE, ['sh', '-c', replace]);
  await project.up();
}
