import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { createRedis, hasRedis } from '../../test/harness/redis.ts'
import { tellOutages } from './redis-outage.ts'

it.skipIf(!hasRedis)(
  'an outage of Redis is told of when it begins and when it is over',
  async () => {
    const server = await createRedis()
    const connections = [0, 1].map(() => new Redis(server.url, { retryStrategy: () => 5 }))
    try {
      const told: string[] = []
      const tell = (_fields: object, text: string) => void told.push(text)
      tellOutages(
        connections,
        { ...quietLog, warn: tell, info: tell },
        { lost: 'lost', back: 'back' },
      )
      const next = (one: Redis, event: string) => new Promise((resolve) => one.once(event, resolve))
      const all = (event: string) => Promise.all(connections.map((one) => next(one, event)))
      await all('ready')
      await server.stop()
      for (let attempt = 0; attempt < 3; attempt += 1) await all('close')
      expect(told).toEqual(['lost'])
      const areBack = all('ready')
      await server.start()
      await areBack
      expect(told).toEqual(['lost', 'back'])
    } finally {
      for (const redis of connections) redis.disconnect()
      await server.close()
    }
  },
)
