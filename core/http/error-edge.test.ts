import Fastify, { type FastifyInstance } from 'fastify'
import { Writable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { createErrorEdge } from './error-edge.ts'

let app: FastifyInstance
afterEach(() => app.close())

async function logOf(owner: string | undefined, thrown: unknown): Promise<object> {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  app = Fastify({ logger: { stream, level: 'error' } })
  app.setErrorHandler(createErrorEdge({ relayError: () => expect.fail(), errorStatus: new Map() }))
  app.get('/', owner === undefined ? {} : { config: { owner } }, () => {
    throw thrown
  })
  const { statusCode } = await app.inject('/')
  expect(statusCode).toBe(500)
  expect(lines).toHaveLength(1)
  return JSON.parse(lines[0] ?? '') as object
}

it.each([new Error('out of order'), 'a text', 5])(
  'names in the log the plugin whose route failed, and the route: %s',
  async (thrown) =>
    expect(await logOf('acme', thrown)).toMatchObject({ plugin: 'acme', route: '/' }),
)

it.each(['core', undefined])('names none where the route is core’s own: %s', async (owner) =>
  expect(await logOf(owner, new Error('out of order'))).not.toHaveProperty('plugin'),
)
