import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where webhooks are sent: one path answers with markup, another one fails. */
export class Receiver {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer((request, response) => {
      request.resume();
      response.statusCode = request.url === '/failing' ? 500 : 200;
      response.end(request.url === '/failing' ? MARKUP : 'ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** Markup that must stay text wherever it is shown; a browser that ran it would set `window.injected`. */
export const MARKUP = `<img src=x onerror="window.injected=1"><script>window.injected=1</script>`;
