// Who may call a route stands in its own config: no spelling of an address, in the plugin's code or on the wire, goes round it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definePlugin, envelope, role, type RouteApp } from '#core'
import { createPluginApp, type PluginApp } from '#test'

const paths = [
  '/api/sample/plain',
  '/api/sample/slash/',
  '/API/sample/upper',
  '/api//sample//double',
  '//api/sample/first',
  '/api/sample/enc%6Fded',
  '/api/sample/:name/inside',
  '/api/sample/rest/*',
  '/sample/outside',
]

function sample(add: (app: RouteApp) => void) {
  return definePlugin({ id: 'sample', server: ({ routes }) => routes.add(add) })
}

describe('a route of a plugin', () => {
  let room: PluginApp

  beforeAll(async () => {
    const add = (app: RouteApp) => {
      for (const path of paths)
        app.get(path, { config: { access: 'admin' } }, () => envelope('secret'))
    }
    room = await createPluginApp({ plugins: [sample(add)] })
  })
  afterAll(() => room.close())

  const spellings = paths.flatMap((path) => {
    const real = path.replace(':name', 'some').replace('*', 'more')
    const [first = '', ...others] = real.split('/').slice(1)
    return [
      real,
      `${real}/`,
      real.toUpperCase(),
      real.replace('/api', '/%61pi'),
      real.replaceAll('/', '//'),
      real.replace('/api/', '/api/./'),
      `/x/..${real}`,
      real.replace('sample', 's%61mple'),
      `/${first.toUpperCase()}/${others.join('/')}`,
      `${real}?turnstile=x#`,
      `${real};v=1`,
      `${real}%2f`,
    ]
  })

  it.each(spellings)('tells nobody who is not an admin its secret at %s', async (url) => {
    for (const client of [room.client(), await signedIn(role.user)]) {
      const { text } = await client.raw('GET', url)
      expect(text).not.toContain('secret')
    }
  })

  it('tells an admin', async () => {
    const client = await signedIn(role.admin)
    expect((await client.raw('GET', '/api/sample/plain')).text).toContain('secret')
    expect((await client.raw('GET', '/API/sample/upper')).text).toContain('secret')
    expect((await client.raw('GET', '/sample/outside')).text).toContain('secret')
  })

  const users = new Map<number, number>()
  async function made(of: number): Promise<number> {
    const { id } = await room.accounts.create({ username: `user-${of}`, role: of, by: 'admin' })
    return id
  }
  async function signedIn(of: number) {
    const id = users.get(of) ?? (await made(of))
    users.set(of, id)
    return room.signedIn(id)
  }
})

describe('a plugin whose route says nothing of who may call it', () => {
  it.each(paths)('is left out: %s', async (path) => {
    for (const config of [{}, { relay: { dialect: 'openai-chat' as const } }]) {
      const options: object = { config }
      const plugin = sample((app) => void app.get(path, options, () => envelope('secret')))
      await expect(createPluginApp({ plugins: [plugin] })).rejects.toThrow('state its access')
    }
  })
})
