import { coinPoolService } from '@forecourt/coin-pool/service';
import { eventsService } from '@forecourt/events/service';
import { executorService } from '@forecourt/executor/service';
import { gatewayService } from '@forecourt/gateway/service';
import { historyService } from '@forecourt/history/service';
import { LocalWorker } from '@forecourt/runtime/queue';
import { runServices } from '@forecourt/runtime/service';
import { DirectServer } from '@forecourt/runtime/transport';
import { environment, keepsHistory } from './station-config.js';

const messages = new DirectServer();
const records = new DirectServer();
const worker = new LocalWorker();
// In this order they listen; they close in the reverse one, so that each outlives those that use it.
await runServices('station', [
  executorService(worker),
  coinPoolService(environment, messages, worker),
  ...(keepsHistory ? [historyService(environment, records)] : []),
  eventsService(),
  gatewayService(environment, messages, keepsHistory ? records : undefined),
]);
