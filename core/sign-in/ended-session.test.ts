import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPluginApp, type PluginApp } from '#test'
import { definePlugin } from '../index.ts'

let app: PluginApp
/** Between the asking of the provider and its answer. */
let meanwhile = async (): Promise<void> => undefined

const slow = definePlugin({
  id: 'slow',
  server: ({ authProviders }) =>
    authProviders.add({
      id: 'slow',
      kind: 'redirect',
      name: { en: 'Slow', zh: '慢' },
      isEnabled: () => true,
      authorizeUrl: ({ state }) => `https://slow.example.com/?state=${state}`,
      identify: async () => {
        await meanwhile()
        return { subject: '7' }
      },
    }),
})

beforeAll(async () => {
  app = await createPluginApp({ plugins: [slow] })
})
afterAll(() => app.close())

it('binds nothing for a session that a new password ends while the provider is asked', async () => {
  const { id } = await app.accounts.create({ username: 'ada', by: 'admin' })
  const thief = await app.signedIn(id)
  const state = async () => (await thief.call<string>('GET', '/api/oauth/state?provider=slow')).data
  meanwhile = () => app.accounts.update(id, { password: 'a new password' })
  const answer = await thief.call('GET', `/api/oauth/slow?code=x&state=${await state()}`)
  expect(answer).toMatchObject({ status: 401, code: 'auth.required' })
  expect(await app.accounts.identitiesOf(id)).toEqual([])
})
