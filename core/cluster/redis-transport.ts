import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from '../contract/services.ts'
import type { Transport, TransportListener } from './transport.ts'

/** A dead network shows no error: only a question without an answer does. */
const heartbeatMs = 15_000
const channel = 'tollgate:cluster'

const options: RedisOptions = {
  lazyConnect: true,
  // Failed commands are kept by the bus, which also knows when there are too many of them.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 5_000,
  autoResubscribe: false,
  retryStrategy: (attempt) => Math.min(attempt * 100, 5_000),
}

/** Redis pub/sub: a connection that subscribes can send nothing else, hence two. While Redis is away the node goes on: what it has
 *  to tell waits in resending-link.ts, what it missed is read anew (`onGap`), and net/rate-limits.ts counts by itself.
 *  @throws Error naming REDIS_URL when the first connection fails */
export async function connectRedis(
  url: string,
  listener: TransportListener,
  log: Logger,
): Promise<Transport> {
  const publisher = new Redis(url, options)
  const subscriber = new Redis(url, options)
  for (const redis of [publisher, subscriber]) {
    redis.on('error', (error) => log.warn({ err: error }, 'the cluster connection to Redis failed'))
  }
  subscriber.on('message', (_channel, text) => listener.onText(text))
  const beat = setInterval(() => {
    for (const redis of [publisher, subscriber]) askForLife(redis)
  }, heartbeatMs).unref()
  const close = async (): Promise<void> => {
    clearInterval(beat)
    publisher.disconnect()
    subscriber.disconnect()
  }
  try {
    await Promise.all([publisher.connect(), subscriber.connect()])
    await subscriber.subscribe(channel)
  } catch (cause) {
    await close()
    throw new Error('REDIS_URL names a Redis that cannot be reached.', { cause })
  }
  // The first `ready` has passed: each further one ends a loss.
  publisher.on('ready', () => listener.onSendable())
  subscriber.on('ready', () => {
    subscriber.subscribe(channel).then(
      () => listener.onGap(),
      // Without its subscription the node would be deaf; a new connection tries again.
      () => subscriber.disconnect(true),
    )
  })
  return {
    send: async (text) => {
      await publisher.publish(channel, text)
    },
    close,
  }
}

function askForLife(redis: Redis): void {
  if (redis.status === 'ready') redis.ping().catch(() => redis.disconnect(true))
}
