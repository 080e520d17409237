import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Behaviours of receivers. */
const behaviours = ['receives', 'hangs', 'fails', 'redirects'] as const;
export type Behaviour = (typeof behaviours)[number];

/** How many receivers behave in each way. */
export type CrowdSize = Readonly<Record<Behaviour, number>>;

/** One receiver of the crowd. */
export interface CrowdReceiver {
  readonly url: string;
  behaviour: Behaviour;
  /** `webhook-id` → when it arrived first, on the clock of `performance`. */
  readonly arrivals: Map<string, number>;
}

/** Many receivers on one port of loopback, and a second port that no message may reach. */
export class ReceiverCrowd {
  readonly receivers: readonly CrowdReceiver[];
  /** Requests to the port to which receivers redirect. */
  redirected = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: Server,
    size: CrowdSize,
  ) {
    const kinds = behaviours.flatMap((one) => Array<Behaviour>(size[one]).fill(one));
    this.receivers = kinds.map((behaviour, index) => {
      return { url: `http://${this.host}/${index}`, behaviour, arrivals: new Map() };
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      request.resume().on('end', () => this.answer(request, response));
    });
    target.on('request', (_request, response: ServerResponse) => {
      this.redirected += 1;
      response.end();
    });
  }

  static async start(size: CrowdSize): Promise<ReceiverCrowd> {
    return new ReceiverCrowd(await listen(), await listen(), size);
  }

  /** For `WEBHOOK_ALLOWED_HOSTS`: the other port is not in it. */
  get host(): string {
    return `127.0.0.1:${portOf(this.server)}`;
  }

  with(behaviour: Behaviour): readonly CrowdReceiver[] {
    return this.receivers.filter((one) => one.behaviour === behaviour);
  }

  stop(): void {
    for (const server of [this.server, this.target]) {
      server.close();
      server.closeAllConnections();
    }
  }

  private answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const { behaviour, arrivals } = this.receivers[Number(url.slice(1))]!;
    switch (behaviour) {
      case 'hangs':
        return;
      case 'fails':
        response.writeHead(500).end('out of order');
        return;
      case 'redirects': {
        const location = `http://127.0.0.1:${portOf(this.target)}/`;
        response.writeHead(307, { location }).end();
        return;
      }
      case 'receives': {
        const id = String(headers['webhook-id']);
        if (!arrivals.has(id)) arrivals.set(id, performance.now());
        response.end('received');
      }
    }
  }
}

async function listen(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
