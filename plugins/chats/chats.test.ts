import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, type PluginApp } from '../../test/harness/plugin-app.ts'
import chats from './index.ts'

let app: PluginApp

beforeAll(async () => {
  app = await createPluginApp({ plugins: [chats] })
})

afterAll(() => app.close())

const field = (id: string) =>
  app.contributions.statusFields
    .list()
    .find((entry) => entry.id === id)
    ?.value()

describe('links to chat clients', () => {
  it('are told in the status as a list, not as text', async () => {
    const links = [{ Next: 'https://next.test/#{key}' }, { App: 'app://open?key={key}' }]
    await app.options.set('Chats', JSON.stringify(links))
    await app.options.set('ChatLink', 'https://chat.test')
    expect(field('chats')).toEqual(links)
    expect(field('chat_link')).toBe('https://chat.test')
  })

  it.each([
    ['no list', '{"a":"https://a.test"}'],
    ['two names in one entry', '[{"a":"https://a.test","b":"https://b.test"}]'],
    ['an entry without a name', '[{}]'],
    ['a blank name', '[{" ":"https://a.test"}]'],
    ['an address that runs as a script', '[{"a":"javascript://%0aalert(1)"}]'],
    ['an address without a protocol', '[{"a":"chat.test"}]'],
    ['a value that is no address', '[{"a":1}]'],
  ])('refuse %s', async (_, value) => {
    await expect(app.options.set('Chats', value)).rejects.toThrow(/Chats|address/)
  })
})
