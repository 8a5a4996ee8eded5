// `tollgate routes` beside a running gateway: what that one serves.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '#test'
import { listRoutes } from '../../../core/cli/routes.ts'
import { commandWithin } from '../../harness/gateway-process.ts'
import { type GatewayDatabase, gatewayDatabases } from '../../harness/gateway-databases.ts'

describe.each(gatewayDatabases)('the routes of a gateway that runs on $name', ({ open }) => {
  let database: GatewayDatabase
  let app: App
  const owners = async () => {
    const { code, output } = await commandWithin(app.env, listRoutes)
    expect(output).toContain('POST\t/v1/chat/completions')
    expect(code).toBe(0)
    return new Set(output.split('\n').map((line) => line.split('\t')[3]))
  }

  beforeAll(async () => {
    database = await open()
    app = await startApp({ env: database.env, isWithin: true })
  })
  afterAll(async () => {
    await app.close()
    await database.close()
  })

  it('are those of the plugins that are on there', async () => {
    expect(await owners()).toContain('mail')
    await app.root.put('/api/plugin/', { id: 'mail', enabled: false })
    const found = await owners()
    expect(found).toContain('tokens')
    expect(found).not.toContain('mail')
  })
})
