// Whoever lost the authenticator and the recovery codes gets in again by the command line; nobody stands above the super admin to help him.
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, type App, startApp } from '#test'
import { resetAccount } from '../../../core/cli/reset-account.ts'
import { commandWithin } from '../../harness/gateway-process.ts'

let app: App
const ada = { username: 'ada', password: 'correct horse' }

beforeAll(async () => {
  app = await startApp({ isWithin: true })
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
    const reset = (...names: string[]) =>
      commandWithin(app.env, (print) => resetAccount(names, print))
    expect(await reset('nobody')).toEqual({
      code: 1,
      output: 'There is no account "nobody".\n',
    })
    expect(await reset()).toMatchObject({ code: 2 })
  })
})
