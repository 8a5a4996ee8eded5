// Whoever writes accounts, one active super admin stays.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { role, userStatus } from '../contract/constants.ts'
import { AppError } from '../contract/errors.ts'
import {
  createCoreServices,
  fixedOptions,
  type CoreServices,
} from '../../test/harness/core-services.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { Accounts } from './accounts.ts'
import { Sessions } from './sessions.ts'

const options = {
  QuotaForNewUser: 0,
  QuotaForInvitee: 0,
  QuotaForInviter: 0,
  QuotaPerUnit: 500_000,
  DisplayInCurrencyEnabled: true,
}

describe.each(databaseKinds)('the last super admin on $name', (kind) => {
  let services: CoreServices
  let sessions: Sessions
  let accounts: Accounts
  let root: number

  beforeAll(async () => {
    services = await createCoreServices(kind)
    sessions = new Sessions(services)
    accounts = new Accounts({ ...services, sessions, options: fixedOptions(options) })
  })
  afterAll(async () => {
    accounts.close()
    sessions.close()
    await services.close()
  })
  beforeEach(async () => {
    await services.removeAccounts()
    root = await make('root')
  })

  const make = async (username: string, given: number = role.root) => {
    const password = 'correct horse'
    return (await accounts.create({ username, password, role: given, by: 'setup' })).id
  }
  const demoted = (id: number) => accounts.update(id, { role: role.admin })
  const banned = (id: number) => accounts.update(id, { status: userStatus.disabled })
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    )

  const ways: readonly [string, (id: number) => Promise<void>][] = [
    ['demoted', demoted],
    ['disabled', banned],
    ['deleted', (id) => accounts.softDelete(id)],
    ['deleted for good', (id) => accounts.hardDelete(id)],
  ]

  it.each(ways)('is not %s, an earlier one is', async (_way, change) => {
    await make('admin', role.admin)
    expect(await codeOf(change(root))).toBe('account.last_super_admin')
    const other = await make('other')
    expect(await codeOf(change(root))).toBe('done')
    expect(await codeOf(change(other))).toBe('account.last_super_admin')
  })

  it('may change all else, and is none of those that are disabled', async () => {
    await accounts.update(root, { role: role.root, status: userStatus.active, group: 'vip' })
    const other = await make('other')
    await banned(other)
    expect(await codeOf(banned(root))).toBe('account.last_super_admin')
    expect(await codeOf(demoted(other))).toBe('done')
  })

  it('is not waited for when somebody else is written', async () => {
    if (services.database.dialect === 'sqlite') return
    const customer = await make('customer', role.user)
    const { database } = services
    const [isHeld, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = database.transaction(async (transaction) => {
      await database.run('UPDATE users SET quota = quota WHERE id = :root', { root }, transaction)
      isHeld.resolve()
      await isOver.promise
    })
    await isHeld.promise
    await banned(customer)
    await accounts.softDelete(customer)
    isOver.resolve()
    await holding
  })

  it('stays when two are demoted at the same moment', async () => {
    const other = await make('other')
    const ends = await Promise.all([codeOf(demoted(root)), codeOf(demoted(other))])
    expect(new Set(ends)).toEqual(new Set(['account.last_super_admin', 'done']))
    expect(await accounts.rootExists()).toBe(true)
  })
})
