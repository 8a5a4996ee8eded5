import type { Redis, RedisOptions } from 'ioredis'
import type { Logger } from '../contract/services.ts'
import { isRefusal, type RedisPlace, refusedBy } from './redis-place.ts'
import { logOutages } from './redis-outage.ts'
import type { Transport, TransportListener } from './transport.ts'

/** A dead network reports no error; only a query without an answer shows it. */
const heartbeatMs = 15_000

const options: RedisOptions = {
  lazyConnect: true,
  // The bus keeps failed messages itself, and knows when there are too many.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 5_000,
  autoResubscribe: false,
  retryStrategy: (attempt) => Math.min(attempt * 100, 5_000),
}

/** Redis pub/sub, with two connections, since one that subscribes cannot send anything else. If Redis is away, even at
 *  the start, the node continues: resending-link.ts keeps its messages, what it missed is read again (`onGap`), and
 *  limits/rate-limits.ts counts by itself.
 *  @throws Error naming REDIS_URL if Redis is there and refuses */
export async function connectRedis(
  { connect, installation }: RedisPlace,
  listener: TransportListener,
  log: Logger,
): Promise<Transport> {
  const channel = `tollgate:${installation}:cluster`
  const publisher = connect(options)
  const subscriber = connect(options)
  const both = [publisher, subscriber]
  logOutages(both, log, {
    lost: 'the cluster connection to Redis is lost; reconnecting',
    back: 'the cluster connection to Redis is back',
  })
  subscriber.on('message', (_channel, text) => listener.onText(text))
  const beat = setInterval(() => {
    for (const redis of both) askForLife(redis)
  }, heartbeatMs).unref()
  const close = async (): Promise<void> => {
    clearInterval(beat)
    for (const redis of both) redis.disconnect()
  }
  const words = await firstConnection(both)
  if (words !== undefined) {
    await close()
    throw refusedBy(words)
  }
  // Without its subscription the node would receive nothing; a new connection subscribes again.
  const reconnect = () => subscriber.disconnect(true)
  if (subscriber.status === 'ready') await subscriber.subscribe(channel).catch(reconnect)
  // After the first one, each `ready` ends a loss.
  publisher.on('ready', () => listener.onSendable())
  subscriber.on('ready', () => {
    subscriber.subscribe(channel).then(() => listener.onGap(), reconnect)
  })
  return {
    send: async (text) => {
      await publisher.publish(channel, text)
    },
    close,
  }
}

/** @returns the error with which Redis refuses; undefined if it has accepted the connections, or is away */
async function firstConnection(connections: readonly Redis[]): Promise<string | undefined> {
  let refused: string | undefined
  const hear = (error: Error): void => {
    if (isRefusal(error)) refused = error.message
  }
  for (const redis of connections) redis.on('error', hear)
  await Promise.allSettled(connections.map((redis) => redis.connect()))
  for (const redis of connections) redis.off('error', hear)
  return refused
}

function askForLife(redis: Redis): void {
  if (redis.status === 'ready') redis.ping().catch(() => redis.disconnect(true))
}
