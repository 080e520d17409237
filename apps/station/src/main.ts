import { coinPoolService } from '@forecourt/coin-pool/service';
import { eventsService } from '@forecourt/events/service';
import { executorService } from '@forecourt/executor/service';
import { gatewayService } from '@forecourt/gateway/service';
import { runServices } from '@forecourt/runtime/service';
import { DirectServer } from '@forecourt/runtime/transport';
import { environment } from './station-config.js';

const messages = new DirectServer();
// In this order they listen; they close in the reverse one, so that each outlives those that use it.
await runServices('station', [
  executorService(),
  coinPoolService(environment, messages),
  eventsService(),
  gatewayService(environment, messages.client),
]);
