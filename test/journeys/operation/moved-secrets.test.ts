// Secrets that an administrator cannot read: he cannot have them sent to a host of his choice either.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addChannel,
  ApiClient,
  type App,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  startApp,
} from '#test'

const password = 'an administrator of it'
const secret = 'sk-known-to-root-only'

describe('a stored secret and the host that it is sent to', () => {
  let app: App
  let admin: ApiClient
  let elsewhere: ScriptedUpstream
  let id = 0

  beforeAll(async () => {
    app = await startApp({ isWithin: true })
    elsewhere = await scriptedUpstream()
    elsewhere.behave((response) => sendJson(response, { data: [{ id: 'stolen' }] }))
    await app.root.post('/api/user/', { username: 'eve', password, display_name: 'eve' })
    admin = await new ApiClient(app.url).signIn('eve', password)
    await app.root.post('/api/user/manage', { id: admin.userId, action: 'promote' })
    admin = await new ApiClient(app.url).signIn('eve', password)
  })
  afterAll(async () => {
    await app.close()
    await elsewhere.close()
  })

  describe('of a channel', () => {
    beforeEach(async () => {
      id = await addChannel(app.root, {
        base_url: 'http://127.0.0.1:9/a',
        models: 'm',
        key: secret,
        setting: JSON.stringify({ proxy: 'http://127.0.0.1:8' }),
      })
    })

    const edit = (changes: object, by = admin) =>
      by.call('PUT', '/api/channel/', { id, ...changes })
    const askElsewhere = () => admin.call('GET', `/api/channel/fetch_models/${id}`)

    it.each([
      { what: 'its address', changes: () => ({ base_url: elsewhere.url }) },
      { what: 'the port', changes: () => ({ base_url: 'http://127.0.0.1:10/a' }) },
      { what: 'the scheme', changes: () => ({ base_url: 'https://127.0.0.1:9/a' }) },
      { what: 'the address to that of its type', changes: () => ({ base_url: '' }) },
      { what: 'its type', changes: () => ({ type: 43 }) },
      {
        what: 'the proxy that reads plain HTTP',
        changes: () => ({ setting: JSON.stringify({ proxy: elsewhere.url }) }),
      },
      {
        what: 'its address with an empty key',
        changes: () => ({ base_url: elsewhere.url, key: '' }),
      },
    ])('refuses to change $what without the key, and sends it nowhere', async ({ changes }) => {
      for (const by of [admin, app.root])
        expect(await edit(changes(), by)).toMatchObject({
          success: false,
          code: 'channel.key_needed',
          body: { values: { field: 'key' } },
        })
      await askElsewhere()
      expect(JSON.stringify(elsewhere.calls)).not.toContain(secret)
    })

    it.each([
      { what: 'the path', changes: { base_url: 'http://127.0.0.1:9/b' } },
      { what: 'no host', changes: { name: 'other', base_url: 'http://127.0.0.1:9/a/' } },
      { what: 'the proxy to none', changes: { setting: '{"force_format":true}' } },
    ])('changes $what without the key', async ({ changes }) => {
      expect(await edit(changes)).toMatchObject({ success: true })
    })

    it('changes the address together with a key, and sends that one', async () => {
      const changes = { base_url: elsewhere.url, key: 'sk-another', setting: '' }
      expect(await edit(changes)).toMatchObject({ success: true })
      expect(await askElsewhere()).toMatchObject({ success: true, data: ['stolen'] })
      expect(JSON.stringify(elsewhere.calls)).toContain('sk-another')
      expect(JSON.stringify(elsewhere.calls)).not.toContain(secret)
    })

    it('changes a proxy that sees nothing but a tunnel', async () => {
      await edit({ base_url: 'https://127.0.0.1:9', key: secret })
      const setting = JSON.stringify({ proxy: elsewhere.url })
      expect(await edit({ setting })).toMatchObject({ success: true })
    })
  })

  describe('of an option', () => {
    const put = (body: object) => admin.call('PUT', '/api/option/', body)

    beforeEach(async () => {
      await put({ key: 'WorkerValidKey', value: '' })
      await put({ key: 'WorkerUrl', value: 'https://worker.example/a' })
      // Somebody else entered it: who did so himself knows it for a while.
      await app.root.put('/api/option/', { key: 'WorkerValidKey', value: secret })
    })

    it('refuses to change the address alone, by way of none as well', async () => {
      const refusal = {
        success: false,
        code: 'options.secret_needed',
        body: { values: { field: 'WorkerValidKey', key: 'WorkerUrl' } },
      }
      expect(await put({ key: 'WorkerUrl', value: elsewhere.url })).toMatchObject(refusal)
      expect(await put({ key: 'WorkerUrl', value: '' })).toMatchObject({ success: true })
      expect(await put({ key: 'WorkerUrl', value: elsewhere.url })).toMatchObject(refusal)
    })

    it.each([
      { what: 'a path', body: { key: 'WorkerUrl', value: 'https://worker.example/b' } },
      {
        what: 'the address with its secret',
        body: { key: 'WorkerUrl', value: 'https://b.example', with: { WorkerValidKey: 'new' } },
      },
    ])('changes $what', async ({ body }) => {
      expect(await put(body)).toMatchObject({ success: true })
      const rows = await admin.get<{ key: string; value: string }[]>('/api/option/')
      expect(rows).toContainEqual({ key: 'WorkerUrl', value: body.value })
    })

    it('changes the address after the secret, call by call, for whoever enters both', async () => {
      expect(await put({ key: 'WorkerValidKey', value: 'new' })).toMatchObject({ success: true })
      expect(await put({ key: 'WorkerUrl', value: 'https://b.example' })).toMatchObject({
        success: true,
      })
    })

    it('changes the address once the secret is gone', async () => {
      await put({ key: 'WorkerValidKey', value: '' })
      expect(await put({ key: 'WorkerUrl', value: elsewhere.url })).toMatchObject({ success: true })
    })
  })
})
