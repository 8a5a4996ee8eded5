import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineOptions } from '../contract/options.ts'
import { definePlugin } from '../contract/plugin.ts'
import { Type } from '@sinclair/typebox'
import { databaseKinds, type TestDatabase } from '../../test/harness/databases.ts'
import type { SharedServices } from '../kernel/contributions.ts'
import { onlyNamed } from '../kernel/manifest/check-asks.ts'
import { dropTables, tablesOf } from '../installs/leftovers-sql.ts'
import { narrowed } from './outsider-services.ts'

const plugin = definePlugin({
  id: 'acme-pay',
  asks: { services: ['database'], variables: ['REGION'] },
  options: defineOptions({ AcmeKey: Type.String({ default: '', 'x-ui': { secret: true } }) }),
})
const variables = { ACME_PAY_MODE: 'test', REGION: 'eu', OTHER: 'x' }
const written: Record<string, string>[] = []
const asked: object[] = []
const options = {
  get: (key: string) => `value of ${key}`,
  schemaOf: (key: string) => ({ 'x-ui': { secret: key.endsWith('Key') } }),
  set: (key: string, value: string) => void written.push({ [key]: value }),
  setMany: (values: Record<string, string>) => void written.push(values),
  list: () => [],
  secretsSet: () => [],
  onChange: () => undefined,
}

describe.each(databaseKinds)('a plugin from outside on $name', ({ create }) => {
  let test: TestDatabase
  let services: SharedServices

  beforeAll(async () => {
    test = await create()
    const shared = {
      database: test.database,
      environment: { setupToken: 'secret', read: () => 'all' },
      options,
      http: { request: (_: unknown, sent: object) => Promise.resolve(void asked.push(sent)) },
    } as unknown as SharedServices
    services = narrowed(plugin, shared, () => variables)
  })
  afterAll(() => test.close())

  it('writes its own tables and reads all', async () => {
    const { database } = services
    await database.run('CREATE TABLE acme_pay__rows (id BIGINT)')
    await database.transaction(async (transaction) => {
      await database.run('INSERT INTO acme_pay__rows (id) VALUES (:id)', { id: 1 }, transaction)
    })
    expect(await database.select('SELECT id FROM acme_pay__rows')).toHaveLength(1)
    expect(await database.select('SELECT id FROM users')).toEqual([])
    await expect(database.run('UPDATE users SET quota = 1')).rejects.toThrow('acme_pay__')
    const slice = database
      .slices({ first: 10, least: 10, most: 10 })
      .take(({ run }) => run('UPDATE users SET quota = 1'))
    await expect(slice).rejects.toThrow('acme_pay__')
    await expect(database.select('DELETE FROM users RETURNING id')).rejects.toThrow('acme_pay__')
    expect(() => database.sequelize).toThrow('no sequelize')
  })

  it('leaves its tables and their steps, and nobody else’s, when they are dropped', async () => {
    const { database } = test
    await database.run('CREATE TABLE acme_pay_x__rows (id BIGINT)')
    await database.run('CREATE VIEW acme_pay__seen AS SELECT id FROM acme_pay__rows')
    for (const name of ['acme-pay-0001-start', 'acme-pay-x-0001-start'])
      await database.run('INSERT INTO schema_steps (name) VALUES (:name)', { name })
    expect(await dropTables(database, 'acme-pay')).toEqual(['acme_pay__rows', 'acme_pay__seen'])
    expect(await tablesOf(database, 'acme-pay')).toEqual([])
    expect(await tablesOf(database, 'acme-pay-x')).toHaveLength(1)
    const steps = await database.select<{ name: string }>(
      `SELECT name FROM schema_steps WHERE name LIKE 'acme%'`,
    )
    expect(steps.map(({ name }) => name)).toEqual(['acme-pay-x-0001-start'])
  })

  it('reads its own variables and those that it names, and no secret of others', () => {
    const { environment } = services
    expect(environment.read('ACME_PAY_MODE')).toBe('test')
    expect(environment.read('ACME_PAY_NONE')).toBeUndefined()
    expect(environment.read('REGION')).toBe('eu')
    expect(() => environment.read('OTHER')).toThrow('asks.variables')
    expect(environment.setupToken).toBe('')
    expect(services.options.get('AcmeKey')).toBe('value of AcmeKey')
    expect(services.options.get('SystemName')).toBe('value of SystemName')
    expect(() => services.options.get('OtherKey')).toThrow('secret of another')
  })

  it('keeps no answer for ever that it does not read', async () => {
    const request = { method: 'GET', url: 'https://example.com', headers: {} }
    await services.http.request(request, { idleTimeoutMs: 5 })
    await services.http.request(request, { unreadTimeoutMs: 600_000 })
    expect(asked.splice(0)).toEqual([
      { idleTimeoutMs: 5, unreadTimeoutMs: 60_000 },
      { unreadTimeoutMs: 600_000 },
    ])
  })

  it('writes its own options and nobody else’s', async () => {
    await services.options.set('AcmeKey', 'new')
    await expect(services.options.set('ModelRatio', '{}')).rejects.toThrow("another's to write")
    await expect(services.options.setMany({ AcmeKey: 'x', SystemName: 'y' })).rejects.toThrow(
      "another's to write",
    )
    expect(written.splice(0)).toEqual([{ AcmeKey: 'new' }])
  })

  it('has the services that it names', () => {
    const named = onlyNamed(services as never, plugin.asks?.services)
    expect(named.database).toBe(services.database)
    expect(() => named.options).toThrow('asks.services')
  })
})
