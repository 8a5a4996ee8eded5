// What is asked for by a caller whose session or access token has ended meanwhile is not done.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { role } from '../contract/constants.ts'
import { AppError } from '../contract/errors.ts'
import {
  createCoreServices,
  fixedOptions,
  type CoreServices,
} from '../../test/harness/core-services.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { Accounts } from './accounts.ts'
import { Sessions } from './sessions.ts'

describe.each(databaseKinds)('a caller on $name', (kind) => {
  let services: CoreServices
  let sessions: Sessions
  let accounts: Accounts

  beforeAll(async () => {
    services = await createCoreServices(kind)
  })
  afterAll(() => services.close())
  beforeEach(() => {
    sessions = new Sessions(services)
    const options = fixedOptions({ QuotaForNewUser: 0, QuotaForInvitee: 0, QuotaForInviter: 0 })
    accounts = new Accounts({ ...services, sessions, options })
  })
  afterEach(async () => {
    accounts.close()
    sessions.close()
    await services.removeAccounts()
  })

  const make = (username: string) =>
    accounts.create({ username, password: 'correct horse', by: 'password' })
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    )

  it('does nothing for a session that has ended', async () => {
    const { id } = await make('ada')
    const bob = await make('bob')
    const begin = async (userId: number) =>
      (await sessions.start({ userId, data: {}, address: '', userAgent: '' })).session.id
    const by = (credential: string) => ({ caller: { id, by: 'session', credential } as const })
    const [own, foreign] = [await begin(id), await begin(bob.id)]
    const change = { email: 'ada@example.com', identities: { acme: '7' } }
    for (const credential of [foreign, 'no session'])
      expect(await codeOf(accounts.update(id, change, by(credential)))).toBe('auth.required')
    expect(await codeOf(accounts.update(id, change, by(own)))).toBe('done')
    await accounts.update(id, { password: 'another password' })
    const later = { email: 'eve@example.com', identities: { acme: '8' } }
    expect(await codeOf(accounts.update(id, later, by(own)))).toBe('auth.required')
    expect(await accounts.find(id)).toMatchObject({ email: 'ada@example.com' })
    expect(await accounts.identitiesOf(id)).toMatchObject([{ subject: '7' }])
  })

  it.each([
    { what: 'banned', change: 'status = 2' },
    { what: 'deregistered', change: "deleted_at = '2026-01-01 00:00:00'" },
  ])(
    'does nothing for an account that was $what, even if a session is left',
    async ({ change }) => {
      const { id } = await make('ada')
      const { session } = await sessions.start({ userId: id, data: {}, address: '', userAgent: '' })
      const caller = { id, by: 'session', credential: session.id } as const
      const rename = () => codeOf(accounts.update(id, { display_name: 'Ada' }, { caller }))
      expect(await rename()).toBe('done')
      await services.database.run(`UPDATE users SET ${change} WHERE id = :id`, { id })
      expect(await rename()).toBe('auth.required')
    },
  )

  it.each(['session', 'access-token'] as const)(
    'does nothing for a caller whose %s is past its end',
    async (by) => {
      const { id } = await make('ada')
      const { session } = await sessions.start({ userId: id, data: {}, address: '', userAgent: '' })
      const token = services.secrets.lookup('access-token', await accounts.newAccessToken(id))
      const caller = { id, by, credential: by === 'session' ? session.id : token }
      const rename = () => codeOf(accounts.update(id, { display_name: 'Ada' }, { caller }))
      expect(await rename()).toBe('done')
      await services.database.run('UPDATE sessions SET expires_at = 1 WHERE user_id = :id', { id })
      await services.database.run('UPDATE users SET access_token_expires_at = 1 WHERE id = :id', {
        id,
      })
      expect(await rename()).toBe('auth.required')
    },
  )

  it('does nothing for an access token that was replaced, or ended with a new password', async () => {
    const { id } = await make('ada')
    const first = await accounts.newAccessToken(id)
    const credential = services.secrets.lookup('access-token', first)
    const caller = { id, by: 'access-token', credential } as const
    expect(await codeOf(accounts.update(id, { display_name: 'A' }, { caller }))).toBe('done')
    await accounts.newAccessToken(id)
    expect(await codeOf(accounts.update(id, { password: 'of a thief' }, { caller }))).toBe(
      'auth.required',
    )
    await accounts.update(id, { password: 'her very own' })
    expect(await codeOf(accounts.newAccessToken(id, undefined, caller))).toBe('auth.required')
    expect(await accounts.checkPassword(id, 'her very own')).toBe(true)
  })

  it('leaves no access token to a session that a new password ends meanwhile', async () => {
    const { id } = await make('ada')
    const tokenOf = async () =>
      (await services.database.select('SELECT access_token FROM users WHERE id = :id', { id }))[0]
    for (let round = 0; round < 5; round += 1) {
      const begun = await sessions.start({ userId: id, data: {}, address: '', userAgent: '' })
      const caller = { id, by: 'session', credential: begun.session.id } as const
      const changed = accounts.update(id, { password: `another password ${round}` })
      const made = codeOf(accounts.newAccessToken(id, undefined, caller))
      await changed
      expect(['done', 'auth.required']).toContain(await made)
      expect(await tokenOf()).toEqual({ access_token: null })
      expect(await codeOf(accounts.newAccessToken(id, undefined, caller))).toBe('auth.required')
    }
    expect(await codeOf(accounts.newAccessToken(id))).toBe('done')
  })

  it('makes and deletes no account for a session that has ended', async () => {
    const { id } = await make('ada')
    const bob = await make('bob')
    const begun = await sessions.start({ userId: id, data: {}, address: '', userAgent: '' })
    const caller = { id, by: 'session', credential: begun.session.id } as const
    const create = (username: string) =>
      codeOf(accounts.create({ username, password: 'correct horse', by: 'admin', caller }))
    expect(await create('carl')).toBe('done')
    await sessions.endAll(id)
    expect(await create('dora')).toBe('auth.required')
    expect(await codeOf(accounts.softDelete(bob.id, caller))).toBe('auth.required')
    expect(await codeOf(accounts.hardDelete(bob.id, caller))).toBe('auth.required')
    expect(await accounts.find(bob.id)).toMatchObject({ DeletedAt: null })
    expect(await accounts.findByLogin('dora')).toBeUndefined()
    await accounts.hardDelete(bob.id)
    expect(await accounts.find(bob.id)).toBeUndefined()
  })

  it('changes nobody who has meanwhile come to the role of the caller', async () => {
    const [ada, bob] = [await make('ada'), await make('bob')]
    await accounts.update(ada.id, { role: role.admin })
    const { session } = await sessions.start({
      userId: ada.id,
      data: {},
      address: '',
      userAgent: '',
    })
    const caller = { id: ada.id, by: 'session', credential: session.id } as const
    const rename = (id: number) =>
      codeOf(accounts.update(id, { display_name: 'renamed' }, { caller }))
    expect(await rename(bob.id)).toBe('done')
    for (const risen of [role.admin, role.root]) {
      await accounts.update(bob.id, { role: risen, display_name: 'Bob' })
      expect(await rename(bob.id)).toBe('access.role_too_low')
      expect(await codeOf(accounts.softDelete(bob.id, caller))).toBe('access.role_too_low')
      expect(await codeOf(accounts.hardDelete(bob.id, caller))).toBe('access.role_too_low')
    }
    expect(await accounts.find(bob.id)).toMatchObject({ display_name: 'Bob', DeletedAt: null })
    expect(await rename(ada.id)).toBe('done')
    await accounts.update(ada.id, { role: role.root })
    expect(await rename(bob.id)).toBe('done')
  })

  it('waits for nobody who waits for the same two', async () => {
    const both = await Promise.all(['ada', 'bob'].map(make))
    for (const { id } of both) await accounts.update(id, { role: role.root })
    const callers = await Promise.all(
      both.map(async ({ id }) => {
        const begun = await sessions.start({ userId: id, data: {}, address: '', userAgent: '' })
        return { id, by: 'session', credential: begun.session.id } as const
      }),
    )
    const [ada, bob] = callers
    for (let round = 0; round < 10; round += 1) {
      const codes = await Promise.all([
        codeOf(accounts.update(bob!.id, { display_name: `b${round}` }, { caller: ada })),
        codeOf(accounts.update(ada!.id, { display_name: `a${round}` }, { caller: bob })),
      ])
      expect(codes).toEqual(['done', 'done'])
    }
  })
})
