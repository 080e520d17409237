import { coinPoolService } from '@forecourt/coin-pool/service';
import { eventsService } from '@forecourt/events/service';
import { executorService } from '@forecourt/executor/service';
import { gatewayService } from '@forecourt/gateway/service';
import { LocalWorker } from '@forecourt/runtime/queue';
import { runServices } from '@forecourt/runtime/service';
import { DirectServer } from '@forecourt/runtime/transport';
import { environment, keepsHistory } from './station-config.js';

const messages = new DirectServer();
const records = new DirectServer();
const worker = new LocalWorker();
// A process without history does without its packages.
const histories = keepsHistory
  ? [(await import('@forecourt/history/service')).historyService(environment, records)]
  : [];
// In this order they listen; they close in the reverse one, so that each outlives those that use it.
await runServices('station', [
  executorService(worker),
  coinPoolService(environment, messages, worker),
  ...histories,
  eventsService(),
  gatewayService(environment, messages, keepsHistory ? records : undefined),
]);
