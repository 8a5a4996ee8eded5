// Whoever lost the authenticator and the recovery codes gets in again by the command line; nobody stands above the super admin to help him.
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, type App, startApp } from '#test'

let app: App
const ada = { username: 'ada', password: 'correct horse' }

beforeAll(async () => {
  app = await startApp()
  await app.root.post('/api/user/', ada)
})
afterAll(() => app.close())

describe('tollgate account reset', () => {
  it('lets in by a new password alone whoever has lost the rest', async () => {
    const before = await new ApiClient(app.url).signIn(ada.username, ada.password)
    const { secret } = await before.post<{ secret: string }>('/api/user/2fa/setup')
    await before.post('/api/user/2fa/enable', { code: new TOTP({ secret }).generate() })
    await app.process.stop()
    const { code, output } = await app.command('account', 'reset', 'ada')
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^ada signs in with the password \w{20} and no second factor\.\n$/),
    ])
    await app.restart()
    const after = new ApiClient(app.url)
    const old = await after.call('POST', '/api/user/login', ada)
    expect(old).toMatchObject({ code: 'sign_in.refused' })
    await after.signIn('ada', / password (\w{20}) /.exec(output)?.[1] ?? '')
    expect(await after.get('/api/user/2fa/status')).toMatchObject({ enabled: false })
  })

  it('says which account it does not know', async () => {
    await app.process.stop()
    expect(await app.command('account', 'reset', 'nobody')).toMatchObject({ code: 1 })
    expect(await app.command('account', 'reset')).toMatchObject({ code: 2 })
  })
})
