import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { createRedis, hasRedis } from '../../test/harness/redis.ts'
import { logOutages } from './redis-outage.ts'

it.skipIf(!hasRedis)(
  'an outage of Redis is told of when it begins and when it is over',
  async () => {
    const server = await createRedis()
    const connections = [0, 1].map(() => new Redis(server.url, { retryStrategy: () => 5 }))
    try {
      const logged: string[] = []
      const log = (_fields: object, text: string) => void logged.push(text)
      logOutages(connections, { ...quietLog, warn: log, info: log }, { lost: 'lost', back: 'back' })
      const next = (one: Redis, event: string) => new Promise((resolve) => one.once(event, resolve))
      const all = (event: string) => Promise.all(connections.map((one) => next(one, event)))
      await all('ready')
      await server.stop()
      for (let attempt = 0; attempt < 3; attempt += 1) await all('close')
      expect(logged).toEqual(['lost'])
      const areBack = all('ready')
      await server.start()
      await areBack
      expect(logged).toEqual(['lost', 'back'])
    } finally {
      for (const redis of connections) redis.disconnect()
      await server.close()
    }
  },
)
