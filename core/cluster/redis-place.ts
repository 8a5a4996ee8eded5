import type { Redis, RedisOptions } from 'ioredis'

/** A Redis, and the prefix of this installation's names there: others may use the same Redis. */
export interface RedisPlace {
  connect(options: RedisOptions): Redis
  /** Part of every name, including channels of messages, since pub/sub does not know Redis's numbered databases. */
  installation: string
}

/** Loads the client first, which a gateway without Redis does not need. */
export async function redisPlace(url: string, installation: string): Promise<RedisPlace> {
  const { Redis } = await import('ioredis')
  return { connect: (options) => new Redis(url, options), installation }
}
