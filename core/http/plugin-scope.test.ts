import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definePlugin, envelope, errorType } from '#core'
import { createPluginApp, type PluginApp } from '../../test/harness/plugin-app.ts'

const refused = errorType('hooked.refused', 429, { en: 'Not now.', zh: '稍后再试。' })
const broken = new Error('out of order')
const access = { config: { access: 'public' } } as const

const hooked = definePlugin({
  id: 'hooked',
  server({ routes }) {
    routes.add((app) => {
      app.addHook('onSend', (_request, reply, payload, done) => {
        reply.header('x-hooked', 'yes')
        done(null, String(payload).replace('plain', 'changed'))
      })
      app.get('/api/hooked/changed', access, () => envelope('plain'))
    })
    routes.add((app) => {
      app.addHook('onSend', () => Promise.reject(broken))
      app.get('/api/hooked/rejects', access, () => envelope())
    })
    routes.add((app) => {
      app.addHook('onSend', (_request, _reply, _payload, done) => done(broken))
      app.get('/api/hooked/calls-back', access, () => envelope())
    })
    routes.add((app) => {
      app.addHook('preSerialization', () => {
        throw broken
      })
      app.get('/api/hooked/throws', access, () => envelope())
    })
    routes.add((app) => {
      app.addHook('onSend', async () => {
        throw refused()
      })
      app.get('/api/hooked/refuses', access, () => envelope())
    })
    routes.add((app) => {
      const broken = 'one\r\nset-cookie: session=of-a-thief'
      app.get('/api/hooked/header', access, (_request, reply) =>
        reply.header('x-broken', broken).header('x-fine', 'yes').type('text/plain').send('text'),
      )
      app.get('/api/hooked/header-name', access, (_request, reply) =>
        reply.header('not a name', 'yes').send(envelope('x'.repeat(5000))),
      )
    })
    routes.add((app) => {
      app.addHook('onSend', async (_request, reply) => void reply.header('x-late', '\n'))
      app.get('/api/hooked/header-of-a-hook', access, () => envelope())
    })
  },
})

let app: PluginApp

beforeAll(async () => {
  app = await createPluginApp({ plugins: [hooked] })
})
afterAll(() => app.close())

describe('the hooks of a plugin on its answers', () => {
  it('change them', async () => {
    const answer = await app.client().call('GET', '/api/hooked/changed')
    expect(answer).toMatchObject({ status: 200, data: 'changed', headers: { 'x-hooked': 'yes' } })
  })

  it.each(['rejects', 'calls-back', 'throws'])(
    'give the answer of any fault where one of them %s',
    async (way) => {
      const answer = await app.client().call('GET', `/api/hooked/${way}`)
      expect(answer).toMatchObject({ status: 500, success: false })
      expect(answer.message).toContain('Something went wrong on the server')
      expect(answer).not.toHaveProperty('statusCode')
    },
  )

  it.each([
    ['header', 'x-broken'],
    ['header-name', 'not a name'],
    ['header-of-a-hook', 'x-late'],
  ])('name the plugin whose %s cannot be sent', async (path, header) => {
    const answer = await app.client().call('GET', `/api/hooked/${path}`)
    expect(answer).toMatchObject({
      status: 500,
      success: false,
      code: 'server.header_broken',
      values: { plugin: 'hooked', header },
    })
    expect(Object.keys(answer.headers)).not.toContain(header)
    expect(answer).not.toHaveProperty('stack')
  })

  it('refuse by an error of their own', async () => {
    expect(await app.client().call('GET', '/api/hooked/refuses')).toMatchObject({
      status: 200,
      success: false,
      code: 'hooked.refused',
      message: 'Not now.',
    })
  })
})
