import { afterAll, beforeAll } from '@jest/globals';
import { GrpcTestClient } from './grpc-test-client.test-support.js';
import { startTestDevnet, type TestDevnet } from './start-test-devnet.test-support.js';

interface UsedDevnet {
  readonly devnet: TestDevnet;
  readonly grpc: GrpcTestClient;
}

/** A devnet of the tests of a file or a block, and a client of its gRPC services. */
export function useDevnet(): UsedDevnet {
  let devnet: TestDevnet;
  let grpc: GrpcTestClient;
  beforeAll(async () => {
    devnet = await startTestDevnet();
    grpc = new GrpcTestClient(devnet.urls.grpc!);
  });
  afterAll(async () => {
    grpc.close();
    await devnet.stop();
  });
  return {
    get devnet() {
      return devnet;
    },
    get grpc() {
      return grpc;
    },
  };
}
