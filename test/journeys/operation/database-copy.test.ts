// A gateway that has outgrown its SQLite goes on with PostgreSQL, as docs/operations.md says it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer } from '#test'
import { copyDatabase } from '../../../core/cli/copy-database.ts'
import { ApiClient } from '../../harness/api-client.ts'
import { rootAccount } from '../../harness/app.ts'
import { perCall, callShop } from '../../harness/call-shop.ts'
import { createEmptyPostgres, hasPostgres } from '../../harness/databases.ts'
import { commandWithin, startGatewayWithin } from '../../harness/gateway-process.ts'
import { chat } from '../../harness/relay-call.ts'
import { consumptionRows, type Customer } from '../../harness/shop.ts'

const dollar = 500_000

describe.runIf(hasPostgres)('tollgate database copy', () => {
  const shop = callShop()
  let target: Awaited<ReturnType<typeof createEmptyPostgres>>
  let customer: Customer

  beforeAll(async () => {
    target = await createEmptyPostgres()
    customer = await addCustomer(shop.app.root, 'ada', dollar)
    for (let call = 0; call < 3; call += 1) await shop.call(customer)
  })
  afterAll(() => target.close())

  const copy = (DATABASE_URL: string) =>
    commandWithin({ ...shop.app.env, DATABASE_URL }, copyDatabase)

  it('is refused beside a gateway that runs', async () => {
    const { code, output } = await copy(target.url)
    expect(code).toBe(1)
    expect(output).toContain(`in use by process ${shop.app.process.pid}`)
  })

  it('asks for the database to copy into', async () => {
    const { code, output } = await copy('')
    expect(code).toBe(1)
    expect(output).toContain('set DATABASE_URL')
  })

  it('takes along what a killed gateway had: accounts, keys, money, prices, options and log', async () => {
    await shop.app.process.kill()
    const DATABASE_URL = target.url
    const { code, output } = await shop.app.commandIn({ DATABASE_URL }, 'database', 'copy')
    expect(output).toContain('2 users checked, every balance is right')
    expect(code).toBe(0)
    const env = {
      PORT: '0',
      HOST: '127.0.0.1',
      SSRF_ALLOW: '127.0.0.0/8',
      DATA_DIR: shop.app.dataDir,
      DATABASE_URL,
    }
    const gateway = await startGatewayWithin({ env })
    try {
      const call = { url: gateway.url, key: customer.key, model: perCall.model }
      expect(await chat(call)).toMatchObject({ status: 200, isComplete: true })
      const root = new ApiClient(gateway.url)
      await root.signIn(rootAccount.username, rootAccount.password)
      expect(await consumptionRows(root, 'ada')).toHaveLength(4)
      const { quota } = await root.get<{ quota: number }>(`/api/user/${customer.id}`)
      expect(quota).toBe(dollar - 4 * perCall.units)
      await addCustomer(root, 'bob', dollar)
    } finally {
      await gateway.stop()
    }
    const verify = await shop.app.commandIn({ DATABASE_URL }, 'ledger', 'verify')
    expect(verify).toMatchObject({ code: 0 })
  })

  it('is refused a second time: there are accounts now', async () => {
    const { code, output } = await copy(target.url)
    expect(code).toBe(1)
    expect(output).toContain('name an empty one')
  })
})
