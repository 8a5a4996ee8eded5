import { hashSync } from 'bcryptjs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../contract/errors.ts'
import {
  createBus,
  createCoreServices,
  fixedOptions,
  type CoreServices,
} from '../../test/harness/core-services.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { quietEvents } from '../../test/harness/quiet-events.ts'
import { Accounts } from './accounts.ts'
import { users } from '../data/models/user.ts'
import { Sessions } from './sessions.ts'

const PASSWORD = 'correct horse'
const page = { page: 1, pageSize: 10 }

describe.each(databaseKinds)('accounts on $name', (kind) => {
  let services: CoreServices
  let sessions: Sessions
  let accounts: Accounts
  let options: Record<string, unknown>

  beforeAll(async () => {
    services = await createCoreServices(kind)
  })
  afterAll(() => services.close())
  beforeEach(() => {
    sessions = new Sessions(services)
    options = {
      QuotaForNewUser: 0,
      QuotaForInvitee: 0,
      QuotaForInviter: 0,
      QuotaPerUnit: 500_000,
      DisplayInCurrencyEnabled: true,
    }
    accounts = new Accounts({ ...services, sessions, options: fixedOptions(options) })
  })
  afterEach(async () => {
    accounts.close()
    sessions.close()
    await services.removeAccounts()
  })

  const make = (username: string, more: object = {}) =>
    accounts.create({ username, password: PASSWORD, by: 'password', ...more })
  const entries = () =>
    services.database.select(
      'SELECT user_id, kind, amount, balance FROM ledger_entries ORDER BY id',
    )
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? error.code : error),
    )

  it.each([
    { username: 'Zo\u00eb', other: 'Zoe\u0308' },
    { username: 'ada', other: '\uff41\uff44\uff41' },
    { username: 'file', other: '\ufb01le' },
  ])('takes $username and $other, which look alike, for one name', async ({ username, other }) => {
    const { id } = await make(username)
    expect(await codeOf(make(other))).toBe('account.username_taken')
    expect(await accounts.findByLogin(other)).toMatchObject({ id })
    const bob = await make('bob')
    expect(await codeOf(accounts.update(bob.id, { username: other }))).toBe(
      'account.username_taken',
    )
    expect(await codeOf(make('a\uff20b'))).toBe('account.invalid_username')
  })

  it.each([
    { email: 'ada@b\u00fccher.example', other: 'ADA@xn--bcher-kva.example' },
    { email: 'zo\u00eb@example.com', other: 'zoe\u0308@example.com' },
    { email: 'ada@example.com', other: '\uff41da@example\uff0ecom' },
  ])('takes $email and $other for one mailbox', async ({ email, other }) => {
    expect(await accounts.isEmailTaken(other)).toBe(false)
    const { id } = await make('ada', { email })
    expect(await accounts.isEmailTaken(other)).toBe(true)
    expect(await codeOf(make('bob', { email: other }))).toBe('account.email_taken')
    expect(await accounts.findByLogin(other)).toMatchObject({ id })
    await accounts.softDelete(id)
    expect(await accounts.isEmailTaken(email)).toBe(true)
  })

  it('finds a name and an address that an older version kept as they were written', async () => {
    const { id } = await make('ada')
    await services.database.run('UPDATE users SET username = :name, email = :email', {
      name: 'Zoe\u0308',
      email: 'zoe@b\u00fccher.example',
    })
    for (const name of ['Zoe\u0308', 'zoe@b\u00fccher.example', 'zoe@xn--bcher-kva.example'])
      expect(await accounts.findByLogin(name)).toMatchObject({ id })
    expect(await codeOf(make('bob', { email: 'zoe@xn--bcher-kva.example' }))).toBe(
      'account.email_taken',
    )
  })

  it('tells two accounts apart whose names older versions let look alike', async () => {
    const [old, young] = [await make('ada'), await make('bob')]
    const rename = 'UPDATE users SET username = :name WHERE id = :id'
    // The younger one first in the order of the index.
    await services.database.run(rename, { name: '\uff41\uff42', id: old.id })
    await services.database.run(rename, { name: 'ab', id: young.id })
    expect(await accounts.findByLogin('\uff41\uff42')).toMatchObject({ id: old.id })
    expect(await accounts.findByLogin('ab')).toMatchObject({ id: young.id })
  })

  it('knows a taken address among any number that hold it in theirs', async () => {
    await make('first', { email: 'a@b.example' })
    await services.database.transaction(async (transaction) => {
      for (let place = 0; place < 120; place += 1)
        await services.database.run(
          'INSERT INTO users (username, email) VALUES (:name, :email)',
          { name: `other${place}`, email: `${place}a@b.example` },
          transaction,
        )
    })
    expect(await accounts.isEmailTaken('A@b.example')).toBe(true)
  })

  it('binds an account to subjects of providers, each to one account', async () => {
    const provider = { id: 'oidc', subject: "o'1" }
    const ada = await make('ada', { provider, by: 'provider' })
    expect(ada).toMatchObject({ oidc_id: "o'1", github_id: '' })
    expect((await accounts.findByProvider('oidc', "o'1"))?.id).toBe(ada.id)
    expect(await accounts.findByProvider('github', "o'1")).toBeUndefined()
    expect(await codeOf(make('eve', { provider }))).toBe('account.identity_taken')
    const bob = await make('bob')
    expect(await codeOf(accounts.update(bob.id, { oidc_id: "o'1" }))).toBe('account.identity_taken')
    await accounts.update(bob.id, { oidc_id: 'o2', github_id: '7' })
    await accounts.update(bob.id, { oidc_id: 'o3' })
    await accounts.update(ada.id, { oidc_id: '' })
    const { items } = await accounts.list(page)
    expect(items.map(({ oidc_id, github_id }) => [oidc_id, github_id])).toEqual([
      ['o3', '7'],
      ['', ''],
    ])
    await accounts.hardDelete(bob.id)
    expect(await services.database.select('SELECT * FROM user_identities')).toEqual([])
  })

  it('makes an account with every field of the wire and no secret', async () => {
    const user = await make('ada')
    expect(user).toEqual({
      id: expect.any(Number),
      username: 'ada',
      password: '',
      password_made: false,
      display_name: 'ada',
      role: 1,
      status: 1,
      email: '',
      github_id: '',
      oidc_id: '',
      wechat_id: '',
      telegram_id: '',
      linux_do_id: '',
      verification_code: '',
      access_token: null,
      quota: 0,
      shown_quota: 0,
      used_quota: 0,
      request_count: 0,
      group: 'default',
      aff_code: expect.stringMatching(/^[0-9A-Za-z]{6}$/),
      aff_count: 0,
      aff_quota: 0,
      aff_history_quota: 0,
      inviter_id: 0,
      DeletedAt: null,
      setting: '',
    })
  })

  it('applies the rules for names and passwords', async () => {
    expect(await codeOf(make('a@b'))).toBe('account.invalid_username')
    expect(await codeOf(make('ada', { password: '1234567' }))).toBe('account.invalid_password')
  })

  it('gives a name to one of many who ask at once, and never again', async () => {
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(make('ada'))))
    expect(codes.filter((code) => code === 'done')).toHaveLength(1)
    expect(codes.filter((code) => code === 'account.username_taken')).toHaveLength(4)
    const ada = await accounts.findByLogin('ada')
    await accounts.softDelete(ada!.id)
    expect(await codeOf(make('ada'))).toBe('account.username_taken')
  })

  it('enters the gift of a new account and the rewards of an invitation in the ledger', async () => {
    Object.assign(options, { QuotaForNewUser: 100, QuotaForInvitee: 30, QuotaForInviter: 70 })
    const inviter = await make('inviter')
    const invited = await make('invited', { inviter_id: inviter.id })
    expect(invited).toMatchObject({ quota: 130, inviter_id: inviter.id })
    expect(await accounts.find(inviter.id)).toMatchObject({
      quota: 100,
      aff_count: 1,
      aff_quota: 70,
      aff_history_quota: 70,
    })
    expect(await entries()).toEqual([
      { user_id: inviter.id, kind: 'gift', amount: 100, balance: 100 },
      { user_id: invited.id, kind: 'gift', amount: 100, balance: 100 },
      { user_id: invited.id, kind: 'invite', amount: 30, balance: 130 },
    ])
  })

  it('pays nothing for the invite code of a banned user', async () => {
    Object.assign(options, { QuotaForInvitee: 30, QuotaForInviter: 70 })
    const inviter = await make('inviter')
    await accounts.update(inviter.id, { status: 2 })
    const invited = await make('invited', { inviter_id: inviter.id })
    expect(invited).toMatchObject({ quota: 0, inviter_id: 0 })
  })

  it('leaves nothing behind when the transaction of a creation fails', async () => {
    options.QuotaForNewUser = 100
    const attempt = services.database.transaction(async (transaction) => {
      await make('ada', { transaction })
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    expect(await accounts.findByLogin('ada')).toBeUndefined()
    expect(await entries()).toEqual([])
  })

  it('knows a password and not another one', async () => {
    const { id } = await make('ada')
    expect(await accounts.checkPassword(id, PASSWORD)).toBe(true)
    expect(await accounts.checkPassword(id, `${PASSWORD} `)).toBe(false)
    expect(await accounts.checkPassword(0, PASSWORD)).toBe(false)
  })

  it('reads the bcrypt hash of an imported account and replaces it with argon2id', async () => {
    const { id } = await make('ada')
    const set = 'UPDATE users SET password = :hash WHERE id = :id'
    await services.database.run(set, { id, hash: hashSync(PASSWORD, 4) })
    expect(await accounts.checkPassword(id, 'wrong password')).toBe(false)
    expect(await accounts.checkPassword(id, PASSWORD)).toBe(true)
    const [row] = await services.database.select<{ password: string }>(
      'SELECT password FROM users WHERE id = :id',
      { id },
    )
    expect(row?.password).toMatch(/^\$argon2id\$/)
    expect(await accounts.checkPassword(id, PASSWORD)).toBe(true)
  })

  it('finds a live account by its name or its address in any case', async () => {
    const { id } = await make('ada', { email: 'Ada@Example.com' })
    expect((await accounts.findByLogin('ada'))?.id).toBe(id)
    expect((await accounts.findByLogin('ADA@example.COM'))?.email).toBe('ada@example.com')
    await accounts.softDelete(id)
    expect(await accounts.findByLogin('ada')).toBeUndefined()
    expect((await accounts.find(id))?.DeletedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it.each([
    { keyword: '100%', found: ['100% wool'] },
    { keyword: '_', found: ['under_score'] },
    { keyword: 'WOOL', found: ['100% wool', '1000 wool'] },
    { keyword: '!', found: [] },
    { keyword: "'; --", found: [] },
    { keyword: '', found: ['under_score', '100% wool', '1000 wool'] },
  ])('finds $found for "$keyword"', async ({ keyword, found }) => {
    for (const name of ['1000 wool', '100% wool', 'under_score']) await make(name)
    const { items, total } = await accounts.search({ keyword, group: '' }, page)
    expect(items.map((user) => user.username)).toEqual(found)
    expect(total).toBe(found.length)
  })

  it.each([
    { keyword: 'ä', found: ['mädchen', 'ÄRGER'] },
    { keyword: 'Är', found: ['ÄRGER'] },
    { keyword: 'A\u0308RG', found: ['ÄRGER'] },
    { keyword: 'иван*', found: ['ИВАН*[1]'] },
    { keyword: 'Н*[1]', found: ['ИВАН*[1]'] },
    { keyword: 'ИВАН?', found: [] },
    { keyword: 'иван.', found: [] },
    { keyword: '名%', found: ['名%字'] },
    { keyword: '^名', found: [] },
    { keyword: 'ΩMEGA\\', found: ['ωmega\\d'] },
    { keyword: 'straße', found: ['Straße'] },
    { keyword: 'ß', found: ['Straße'] },
  ])('finds $found for "$keyword", in any case on every database', async ({ keyword, found }) => {
    const names = ['ÄRGER', 'mädchen', 'ИВАН*[1]', '名%字', 'ωmega\\d', 'Straße']
    // As they are: a sign-up would take too long for each.
    for (const [at, name] of names.entries())
      await services.database.run(
        'INSERT INTO users (username, display_name, setting) VALUES (:username, :name, :setting)',
        { username: `u${at}`, name, setting: '' },
      )
    const { items } = await accounts.search({ keyword, group: '' }, page)
    expect(items.map((user) => user.display_name)).toEqual(found)
  })

  it('finds an account by its id and narrows by group', async () => {
    const ada = await make('ada')
    await accounts.update(ada.id, { group: 'vip' })
    const search = async (keyword: string, group: string) =>
      (await accounts.search({ keyword, group }, page)).total
    expect(await search(String(ada.id), 'vip')).toBe(1)
    expect(await search(String(ada.id), 'default')).toBe(0)
    expect(await search('99999999999999999999999', '')).toBe(0)
  })

  it('narrows by role and status, and sorts by a column', async () => {
    const ada = await make('ada')
    const bob = await make('bob')
    const eve = await make('eve')
    await accounts.update(bob.id, { status: 2 })
    await accounts.softDelete(eve.id)
    const names = async (filter: object) => {
      const found = await accounts.search({ keyword: '', group: '', ...filter }, page)
      expect(found.total).toBe(found.items.length)
      return found.items.map(({ username }) => username)
    }
    expect(await names({ status: 1 })).toEqual(['ada'])
    expect(await names({ status: 2, role: 1, keyword: 'B' })).toEqual(['bob'])
    expect(await names({ status: 'deleted' })).toEqual(['eve'])
    expect(await names({ role: 10 })).toEqual([])
    await services.database.run('UPDATE users SET used_quota = id * 5')
    expect(await names({ sort: 'used_quota' })).toEqual(['eve', 'bob', 'ada'])
    expect(await names({ sort: 'used_quota', isAscending: true })).toEqual(['ada', 'bob', 'eve'])
    expect(ada.id).toBeLessThan(eve.id)
  })

  it('looks once for what few have, and sorts ids alone', async () => {
    for (const name of ['ada', 'adam', 'bob']) await make(name)
    const model = users(services.database)
    const looks: string[] = []
    model.addHook('beforeCount', 'size', () => void looks.push('count'))
    model.addHook('beforeFind', 'size', ({ order, attributes }) => {
      if (order !== undefined) looks.push(JSON.stringify(attributes))
    })
    const list = async (keyword: string, at: { page: number; pageSize: number }) => {
      looks.length = 0
      const filter = { keyword, group: '', sort: 'quota' } as const
      const { items, total } = await accounts.search(filter, at)
      return { names: items.map(({ username }) => username), total, looks: [...looks] }
    }
    const once = ['["id"]']
    expect(await list('ada', page)).toEqual({ names: ['adam', 'ada'], total: 2, looks: once })
    expect(await list('eve', page)).toEqual({ names: [], total: 0, looks: once })
    const second = { page: 2, pageSize: 2 }
    expect(await list('', second)).toEqual({ names: ['ada'], total: 3, looks: once })
    const full = { names: ['bob', 'adam'], total: 3, looks: [...once, 'count'] }
    expect(await list('', { page: 1, pageSize: 2 })).toEqual(full)
    const beyond = { names: [], total: 3, looks: [...once, 'count'] }
    expect(await list('', { page: 9, pageSize: 2 })).toEqual(beyond)
    model.removeHook('beforeCount', 'size')
    model.removeHook('beforeFind', 'size')
  })

  it('writes only the columns that are named, and refuses those of the ledger', async () => {
    options.QuotaForNewUser = 100
    const { id } = await make('ada')
    await accounts.update(id, { display_name: 'Ada', group: undefined })
    expect(await accounts.find(id)).toMatchObject({
      display_name: 'Ada',
      group: 'default',
      quota: 100,
    })
    await expect(accounts.update(id, { quota: 5 })).rejects.toThrow('users.quota')
    const bob = await make('bob')
    expect(await codeOf(accounts.update(bob.id, { username: 'ada' }))).toBe(
      'account.username_taken',
    )
    expect(await codeOf(accounts.update(99, { username: 'eve' }))).toBe('account.unknown')
  })

  it.each([
    { changes: { password: 'another password' }, ends: true },
    { changes: { status: 2 }, ends: true },
    { changes: { role: 1 }, ends: true },
    { changes: { role: 100 }, ends: false },
    { changes: { display_name: 'Ada' }, ends: false },
  ])('ends the sessions for $changes: $ends', async ({ changes, ends }) => {
    const { id } = await make('ada', { role: 10 })
    const { secret } = await sessions.start({ userId: id, data: {}, address: '', userAgent: '' })
    await accounts.update(id, changes)
    expect((await sessions.read(secret)) === undefined).toBe(ends)
  })

  it('keeps the webhook secret sealed and gives it to its owner alone', async () => {
    const { id } = await make('ada')
    const setting = { notify_type: 'webhook', webhook_secret: 'whsec' } as const
    await accounts.saveSetting(id, setting)
    expect(await accounts.settingOf(id)).toEqual(setting)
    expect(await accounts.settingsOf([id, 999_999])).toEqual(new Map([[id, setting]]))
    expect((await accounts.find(id))?.setting).toBe('{"notify_type":"webhook"}')
    const rows = await services.database.select('SELECT setting FROM users')
    expect(JSON.stringify(rows)).not.toContain('whsec')
  })

  it('knows of a password whether its owner has chosen it', async () => {
    const { id, password_made: first } = await make('ada')
    const isMade = async () => (await accounts.find(id))?.password_made
    await accounts.update(id, { password: 'made by another', password_made: true })
    await accounts.update(id, { display_name: 'Ada' })
    const made = await isMade()
    await accounts.update(id, { password: 'her very own' })
    expect([first, made, await isMade()]).toEqual([false, true, false])
  })

  it('keeps what each of many changes of a setting wrote, at once as they are', async () => {
    const { id } = await make('ada')
    const changes = [
      { notify_type: 'webhook' },
      { webhook_url: 'https://a.test' },
      { webhook_secret: 'whsec' },
      { quota_warning_threshold: 7 },
      { language: 'zh' as const },
    ]
    await Promise.all(
      changes.map((change) => accounts.changeSetting(id, (saved) => ({ ...saved, ...change }))),
    )
    expect(await accounts.settingOf(id)).toEqual(Object.assign({}, ...changes))
    const refused = accounts.changeSetting(id, () => {
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    expect(await accounts.settingOf(id)).toMatchObject({ language: 'zh' })
  })

  it('moves invite earnings once, however often it is asked at once', async () => {
    const { id } = await make('ada')
    await services.database.run('UPDATE users SET aff_quota = 900 WHERE id = :id', { id })
    const codes = await Promise.all(
      Array.from({ length: 4 }, () => codeOf(accounts.transferAffQuota(id, 600))),
    )
    expect(codes.filter((code) => code === 'done')).toHaveLength(1)
    expect(await accounts.find(id)).toMatchObject({ quota: 600, aff_quota: 300 })
  })

  it('removes an account for good with a closing entry', async () => {
    options.QuotaForNewUser = 100
    const { id } = await make('ada')
    await accounts.hardDelete(id)
    expect(await accounts.find(id)).toBeUndefined()
    expect(await entries()).toMatchObject([{ amount: 100 }, { amount: -100, balance: 0 }])
  })

  it('takes a one-time code once, and a short one no more after a hundred wrong tries', async () => {
    const { codes } = accounts
    await codes.put('v', 'a@b.c', '123456', 600)
    expect(await codes.consume('v', 'a@b.c', '000000')).toBe(false)
    expect(await codes.consume('r', 'a@b.c', '123456')).toBe(false)
    expect(await codes.consume('v', 'a@b.c', '123456')).toBe(true)
    expect(await codes.consume('v', 'a@b.c', '123456')).toBe(false)
    await codes.put('v', 'a@b.c', '123456', 600)
    for (let tries = 0; tries < 99; tries += 1) await codes.consume('v', 'a@b.c', '000000')
    expect(await codes.consume('v', 'a@b.c', '123456')).toBe(true)
    await codes.put('v', 'a@b.c', '123456', 600)
    for (let tries = 0; tries < 100; tries += 1) await codes.consume('v', 'a@b.c', '000000')
    expect(await codes.consume('v', 'a@b.c', '123456')).toBe(false)
    const long = 'a1'.repeat(16)
    await codes.put('r', 'a@b.c', long, 600)
    for (let tries = 0; tries < 120; tries += 1) await codes.consume('r', 'a@b.c', '000000')
    expect(await codes.consume('r', 'a@b.c', long)).toBe(true)
  })

  it('lets one of fifty spend what others made, until it is over', async () => {
    const { codes } = accounts
    const tries = Array.from({ length: 50 }, () => codes.spend('signed', 'abc', 600))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
    expect(await codes.spend('other', 'abc', 600)).toBe(true)
    expect(await codes.spend('signed', 'abd', 0)).toBe(true)
    expect(await codes.spend('signed', 'abd', 600)).toBe(true)
    expect(await codes.consume('signed', '', 'abc')).toBe(false)
  })

  it('tells every node of a change', async () => {
    const heard: number[] = []
    const bus = createBus()
    const far = new Accounts({
      ...services,
      sessions,
      options: fixedOptions(options),
      cluster: bus.join('node-2'),
    })
    const near = new Accounts({
      ...services,
      sessions,
      options: fixedOptions(options),
      cluster: bus.join('node-1'),
      events: quietEvents,
    })
    const stop = services.events.on('user.changed', ({ userId }) => void heard.push(userId))
    const { id } = await make('ada')
    await near.update(id, { display_name: 'Ada' })
    expect(heard).toContain(id)
    stop()
    for (const service of [far, near]) service.close()
  })
})
