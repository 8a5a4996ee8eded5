import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Op, literal } from 'sequelize'
import { driverKinds, type TestDatabase } from '../../../test/harness/databases.ts'
import { pluginTable } from '../../app/kernel-tables.ts'
import { options } from './option.ts'
import { userIdentities } from './user-identity.ts'
import { users } from './user.ts'

describe.each(driverKinds)('the models on $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
  })

  afterAll(() => test.close())

  it('create, find, change and delete rows', async () => {
    const User = users(test.database)
    const made = await User.create({ username: 'ann', quota: Number.MAX_SAFE_INTEGER })
    const id = made.getDataValue('id')
    expect(id).toEqual(expect.any(Number))
    const deletedAt = new Date('2026-01-02T03:04:05.678Z')
    expect(await User.update({ deleted_at: deletedAt }, { where: { username: 'ann' } })).toEqual([
      1,
    ])
    const found = (await User.findByPk(id))?.get()
    expect(found).toMatchObject({
      id,
      username: 'ann',
      group: 'default',
      aff_code: null,
      quota: Number.MAX_SAFE_INTEGER,
      deleted_at: deletedAt,
    })
    expect(await User.destroy({ where: { username: "a'b" } })).toBe(0)
    expect(await User.destroy({ where: { username: 'ann' } })).toBe(1)
  })

  it('bind what they look for, and join the pieces of SQL of a caller', async () => {
    const User = users(test.database)
    const statements: unknown[] = []
    const logging = (sql: string) => statements.push(sql)
    const names = ["o'brien $1 :x", 'nul\0nul', 'back\\slash', 'lone \ud800']
    for (const username of names) await User.create({ username, email: username })
    for (const username of names) {
      expect(await User.findOne({ where: { username }, logging }), username).not.toBeNull()
    }
    const { rows, count } = await User.findAndCountAll({
      where: {
        [Op.and]: [literal('username LIKE $pattern'), { email: names.slice(0, 2) }],
      },
      bind: { pattern: "o'%" },
      limit: 5,
      logging,
    })
    expect({ count, names: rows.map((row) => row.get().username) }).toEqual({
      count: 1,
      names: [names[0]],
    })
    expect(await User.destroy({ where: { username: names[0]! }, logging })).toBe(1)
    expect(statements.join('\n').match(/FROM .*(brien|slash).*/g) ?? []).toEqual([])
  })

  it('pass the write gate: 40 transactions and 40 plain writes at once all succeed', async () => {
    const User = users(test.database)
    await User.create({ username: 'counted' })
    const where = { username: 'counted' }
    const transactions = Array.from({ length: 40 }, () =>
      test.database.transaction(async (transaction) => {
        await User.findOne({ where, transaction })
        await User.increment({ aff_count: 1 }, { where, transaction })
      }),
    )
    const plain = Array.from({ length: 40 }, () => User.increment({ aff_count: 1 }, { where }))
    await Promise.all([...transactions, ...plain])
    expect((await User.findOne({ where }))?.get().aff_count).toBe(80)
  })

  it('are refused a write beside the transaction it is awaited in', async () => {
    const User = users(test.database)
    const writes: (() => Promise<unknown>)[] = [
      () => User.create({ username: 'beside' }),
      () => User.update({ email: 'x' }, { where: { username: 'counted' } }),
      () => User.destroy({ where: { username: 'counted' } }),
      () => User.increment({ aff_count: 1 }, { where: { username: 'counted' } }),
    ]
    for (const write of writes) {
      await expect(test.database.transaction(write)).rejects.toThrow(
        'was not given the transaction',
      )
    }
  })

  it('roll back with their transaction', async () => {
    const failing = test.database.transaction(async (transaction) => {
      await users(test.database).create({ username: 'half' }, { transaction })
      throw new Error('fails halfway')
    })
    await expect(failing).rejects.toThrow('fails halfway')
    expect(await users(test.database).count({ where: { username: 'half' } })).toBe(0)
  })

  it('hold one account for a subject of a provider', async () => {
    const Identity = userIdentities(test.database)
    const identity = { provider: 'github', subject: '7', user_id: 1, created_at: 0 }
    await Identity.create(identity)
    const again = await Identity.create({ ...identity, user_id: 2 }).catch((e: unknown) => e)
    expect(test.database.isUniqueViolation(again)).toBe(true)
    await Identity.create({ ...identity, provider: 'oidc', user_id: 2 })
  })

  it('bind what they change and enter once', async () => {
    const statements: unknown[] = []
    const logging = (sql: string) => statements.push(sql)
    const Option = options(test.database)
    const row = { key: "k'1", value: 'first\0' }
    await Option.upsert(row, { logging })
    await Option.upsert({ ...row, value: "second'" }, { logging })
    await Option.update({ value: "third'" }, { where: { key: row.key }, logging })
    expect((await Option.findAll()).map((found) => found.get())).toEqual([
      { key: "k'1", value: "third'" },
    ])
    expect(statements.filter((sql) => /VALUES.*first|SET.*third|= 'k/.test(String(sql)))).toEqual(
      [],
    )
  })

  it('enter once only what may change', async () => {
    const { read, write } = pluginTable(test.database)
    const row = { id: 'shop', version: '', confirmed: '' }
    await write({ ...row, enabled: true, source: 'folder' })
    await write({ ...row, enabled: false, source: 'built-in' })
    expect(await read()).toMatchObject([
      { id: 'shop', enabled: false, source: 'folder', location: '' },
    ])
  })
})
