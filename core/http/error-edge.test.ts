import Fastify, { type FastifyInstance } from 'fastify'
import { Writable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { errorType } from '../contract/errors.ts'
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

it('refuses a page in a sentence, and what a program asks for in JSON', async () => {
  const exceeded = errorType('rate.exceeded', 429, {
    en: 'Try again in 5 s.',
    zh: '请 5 秒后再试。',
  })
  app = Fastify()
  app.setErrorHandler(createErrorEdge({ relayError: () => expect.fail(), errorStatus: new Map() }))
  const refuse = () => {
    throw exceeded(undefined, { headers: { 'retry-after': '5' } })
  }
  app.get('/token', { config: { rate: 'global-web' } }, refuse)
  app.get('/api/token', refuse)
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const page = await app.inject({ url: '/token', headers })
  expect(page).toMatchObject({ statusCode: 429, body: 'Try again in 5 s.' })
  expect(page.headers['content-type']).toBe('text/plain; charset=utf-8')
  // Loads the page again once that time is over.
  expect(page.headers['refresh']).toBe('5')
  expect((await app.inject('/token')).json()).toMatchObject({
    code: 'rate.exceeded',
    messages: { en: 'Try again in 5 s.', zh: '请 5 秒后再试。' },
  })
  expect((await app.inject({ url: '/api/token', headers })).json()).toMatchObject({
    code: 'rate.exceeded',
  })
})
