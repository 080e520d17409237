/** Where a Redis is and of what kind; the values of `redisVariables` in `@forecourt/config`. */
export interface RedisSettings {
  /** One server, some nodes of a cluster, or sentinels; at least one, alike but for host and port. */
  readonly redisUrls: readonly string[];
  readonly redisMode: 'single' | 'cluster' | 'sentinel';
  readonly redisSentinelMaster: string;
  readonly redisSentinelPassword: string | null;
}
