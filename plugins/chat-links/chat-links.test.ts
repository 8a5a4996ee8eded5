import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, type PluginApp } from '#test'
import chatLinks from './index.ts'

let app: PluginApp

beforeAll(async () => {
  app = await createPluginApp({ plugins: [chatLinks] })
})
afterAll(() => app.close())

const fields = () =>
  Object.fromEntries(app.contributions.statusFields.list().map(({ id, value }) => [id, value()]))

describe('the chat links', () => {
  it('come with the status as a list', async () => {
    const chats = [
      { Web: 'https://chat.example/?settings={"key":"{key}","url":"{address}"}' },
      { App: 'some-app://import?key={key}' },
    ]
    await app.options.set('Chats', JSON.stringify(chats))
    await app.options.set('ChatLink', 'https://chat.example/')
    expect(fields()).toMatchObject({ chats, chat_link: 'https://chat.example' })
    await app.options.set('Chats', '[]')
    expect(fields()).toMatchObject({ chats: [] })
  })

  it.each([
    ['[{"A":"javascript:alert(1)"}]'],
    ['[{"A":" data:text/html,x"}]'],
    ['[{"A":"no address"}]'],
    ['[{"A":"https://a.example","B":"https://b.example"}]'],
    ['[{}]'],
    ['[{"":"https://a.example"}]'],
    ['{"A":"https://a.example"}'],
    ['["https://a.example"]'],
    ['not JSON'],
  ])('refuse %s', async (value) => {
    await expect(app.options.set('Chats', value)).rejects.toThrow()
  })

  it.each([['javascript:alert(1)'], ['chat.example'], ['ftp://chat.example']])(
    'refuse the single link %s',
    async (value) => {
      await expect(app.options.set('ChatLink', value)).rejects.toThrow()
    },
  )
})
