import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defineOptions, definePlugin, Type } from '#core'
import { createPluginApp, type PluginApp } from '#test'
import authPassword from '../../plugins/auth-password/index.ts'
import passkeySignIn from '../../plugins/passkey-sign-in/index.ts'
import { passkeys } from '../data/models/passkey.ts'

const acme = definePlugin({
  id: 'acme',
  options: defineOptions({ AcmeEnabled: Type.Boolean({ default: false }) }),
  server: ({ authProviders, options }) =>
    authProviders.add({
      id: 'acme',
      kind: 'direct',
      name: { en: 'Acme', zh: 'Acme' },
      isEnabled: () => options.get<boolean>('AcmeEnabled'),
      identify: () => Promise.resolve({ subject: '1' }),
    }),
})

const refused = { code: 'sign_in.no_way_in' }

describe('the last way in', () => {
  let app: PluginApp
  const save = (values: Record<string, string>) => app.options.setMany(values)

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [authPassword, passkeySignIn, acme] })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await app.accounts.create({
      username: 'root',
      password: 'correct horse',
      role: 100,
      by: 'setup',
    })
  })
  afterEach(async () => {
    await save({ PasswordLoginEnabled: 'true' })
    await save({ AcmeEnabled: 'false', 'passkey.enabled': 'true' })
    await app.database.run('DELETE FROM passkeys')
    await app.removeAccounts()
  })

  async function addPasskey(userId: number) {
    await passkeys(app.database).create({
      id: `p${userId}`,
      user_id: userId,
      credential_id: `c${userId}`,
      public_key: '',
      counter: 0,
      rp_id: 'gate.example',
      transports: '[]',
      name: 'Laptop',
      is_backed_up: 0,
      created_at: 1,
      last_used_at: 0,
    })
  }

  it('is not switched off, and nothing is stored of the change', async () => {
    const change = save({ PasswordLoginEnabled: 'false', QuotaForNewUser: '7' })
    await expect(change).rejects.toMatchObject(refused)
    expect(app.options.get('PasswordLoginEnabled')).toBe(true)
    expect(app.options.get('QuotaForNewUser')).toBe(0)
  })

  it('is not switched off by two changes at once of which each leaves the other', async () => {
    await save({ AcmeEnabled: 'true' })
    const changes = [save({ AcmeEnabled: 'false' }), save({ PasswordLoginEnabled: 'false' })]
    const results = await Promise.allSettled(changes)
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(results[1]).toMatchObject({ reason: refused })
    expect(app.options.get('PasswordLoginEnabled')).toBe(true)
  })

  it('may change places with another in one change', async () => {
    await save({ PasswordLoginEnabled: 'false', AcmeEnabled: 'true' })
    await expect(save({ AcmeEnabled: 'false' })).rejects.toMatchObject(refused)
    await save({ AcmeEnabled: 'false', PasswordLoginEnabled: 'true' })
  })

  it('may be a passkey that somebody has, but not one of the super admin', async () => {
    const root = await app.accounts.findByLogin('root')
    await addPasskey(root?.id ?? 0)
    await expect(save({ PasswordLoginEnabled: 'false' })).rejects.toMatchObject(refused)
    const ada = await app.accounts.create({
      username: 'ada',
      password: 'correct horse',
      by: 'admin',
    })
    await addPasskey(ada.id)
    await save({ PasswordLoginEnabled: 'false' })
    await expect(save({ 'passkey.enabled': 'false' })).rejects.toMatchObject(refused)
  })

  it('keeps nobody from other changes where it is gone already', async () => {
    const ada = await app.accounts.create({
      username: 'ada',
      password: 'correct horse',
      by: 'admin',
    })
    await addPasskey(ada.id)
    await save({ PasswordLoginEnabled: 'false' })
    await app.database.run('DELETE FROM passkeys')
    await save({ QuotaForNewUser: '7' })
    expect(app.options.get('QuotaForNewUser')).toBe(7)
    await save({ QuotaForNewUser: '0' })
  })
})
