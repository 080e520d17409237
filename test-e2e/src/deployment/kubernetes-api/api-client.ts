import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { JsonObject, Manifest } from '../manifest.js';

/** The answer of an API server. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  /** The reason of a refusal. */
  readonly message: string;
  /** The texts of `Warning` headers, such as those about Pod Security. */
  readonly warnings: readonly string[];
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Calls a kube-apiserver as an administrator. */
export class ApiClient {
  readonly #resources = new Map<string, readonly Resource[]>();

  constructor(
    private readonly url: string,
    private readonly certificate: Buffer,
    private readonly token: string,
  ) {}

  /** Applies an object on the server's side; the server refuses unknown fields. */
  async apply(object: Manifest): Promise<Answer> {
    const path = `${await this.pathOf(object)}/${object.metadata.name}`;
    const query = 'fieldManager=verify-kubernetes&fieldValidation=Strict&force=true';
    return this.call('PATCH', `${path}?${query}`, object, 'application/apply-patch+yaml');
  }

  /** Asks whether an object may be created, without creating it. */
  async tryCreate(object: Manifest): Promise<Answer> {
    const query = 'dryRun=All&fieldValidation=Strict';
    return this.call('POST', `${await this.pathOf(object)}?${query}`, object, 'application/json');
  }

  /** Whether a path answers 200. */
  async isUp(path: string): Promise<boolean> {
    const answer = await this.send('GET', path).catch(() => null);
    answer?.resume();
    return answer?.statusCode === 200;
  }

  /** The collection of an object. Throws if the server does not know its kind. */
  private async pathOf({ apiVersion, kind, metadata }: Manifest): Promise<string> {
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const known = this.#resources.get(group) ?? (await this.resourcesOf(group));
    const found = known.find((one) => one.kind === kind && !one.name.includes('/'));
    if (!found) throw new Error(`the API server does not know ${apiVersion} ${kind}`);
    const namespace = (metadata['namespace'] as string | undefined) ?? 'default';
    return found.namespaced
      ? `${group}/namespaces/${namespace}/${found.name}`
      : `${group}/${found.name}`;
  }

  private async resourcesOf(group: string): Promise<readonly Resource[]> {
    const { body, status } = await this.call('GET', group);
    if (status !== 200) return [];
    const resources = body['resources'] as unknown as Resource[];
    this.#resources.set(group, resources);
    return resources;
  }

  private async call(
    method: string,
    path: string,
    body?: JsonObject,
    type?: string,
  ): Promise<Answer> {
    const answer = await this.send(method, path, body, type);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const warnings = answer.headersDistinct['warning'] ?? [];
    const given = JSON.parse(text) as JsonObject & { message?: string };
    return { status: answer.statusCode!, body: given, message: given.message ?? '', warnings };
  }

  private async send(
    method: string,
    path: string,
    body?: JsonObject,
    type?: string,
  ): Promise<IncomingMessage> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(type !== undefined && { 'content-type': type }),
    };
    const call = request(`${this.url}${path}`, { method, headers, ca: this.certificate });
    call.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return answer;
  }
}
