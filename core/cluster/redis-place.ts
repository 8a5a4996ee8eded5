import type { Redis, RedisOptions } from 'ioredis'

/** A Redis, and the prefix of this installation's names there: others may use the same Redis. */
export interface RedisPlace {
  connect(options: Omit<RedisOptions, 'replyMapping'>): Redis
  /** Part of every name, including channels of messages, since pub/sub does not know Redis's numbered databases. */
  installation: string
}

/** Redis's errors for a wrong password, user or database in REDIS_URL, which waiting does not repair. */
const refusal = /^(?:NOAUTH|WRONGPASS|NOPERM|ERR DB index|ERR AUTH|ERR invalid password)/

export function isRefusal(error: unknown): boolean {
  return error instanceof Error && refusal.test(error.message)
}

/** Why a start ends at a Redis that is there and refuses. */
export function refusedBy(words: string): Error {
  return new Error(`REDIS_URL names a Redis that refuses: ${words}`)
}

/** Loads the client first, which a gateway without Redis does not need. */
export async function redisPlace(url: string, installation: string): Promise<RedisPlace> {
  const { Redis } = await import('ioredis')
  return { connect: (options) => new Redis(url, options), installation }
}
