import { ServiceProcess, type ServiceOptions } from './service-process.js';

/**
 * Starts one service as a child process and waits until it is ready. Throws `Error` when that fails, and
 * stops it.
 */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const service = new ServiceProcess(options);
  try {
    await service.start();
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}
