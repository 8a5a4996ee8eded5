import type { Redis } from 'ioredis'
import type { Logger } from '../contract/services.ts'

/** The log messages for a group of connections to Redis. */
export interface OutageWords {
  lost: string
  back: string
}

/** Logs once that Redis is away, and once that all of these connections are back: ioredis reports an error for every attempt. */
export function logOutages(
  connections: readonly Redis[],
  log: Logger | undefined,
  words: OutageWords,
): void {
  const lost = new Set<Redis>()
  for (const redis of connections) {
    redis.on('error', (error) => {
      if (lost.size === 0) log?.warn({ err: error }, words.lost)
      lost.add(redis)
    })
    redis.on('ready', () => {
      if (lost.delete(redis) && lost.size === 0) log?.info({}, words.back)
    })
  }
}
