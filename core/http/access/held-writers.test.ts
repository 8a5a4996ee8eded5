// What a call writes is written for those who are let in still, whoever wrote its route.
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCoreServices, type CoreServices } from '../../../test/harness/core-services.ts'
import { databaseKinds } from '../../../test/harness/databases.ts'
import { createCallers, type Callers } from '../../accounts/callers.ts'
import { holdCaller } from '../../accounts/hold-caller.ts'
import { Sessions } from '../../accounts/sessions.ts'
import { outsideTransaction } from '../../data/inside-transaction.ts'
import { createErrorEdge } from '../error-edge.ts'
import { registerGuards } from './guards.ts'

describe.each(databaseKinds)('what a call writes on $name', (kind) => {
  let services: CoreServices
  let sessions: Sessions
  let callers: Callers
  let app: FastifyInstance
  /** What happens between the guards and the writing. */
  let meanwhile: () => Promise<unknown>

  const write = (value: string) => ({
    sql: 'INSERT INTO options (key, value) VALUES (:key, :value)',
    values: { key: `held-${value}`, value },
  })
  const ways: Record<string, () => Promise<unknown>> = {
    transaction: () =>
      services.database.transaction((transaction) => {
        const { sql, values } = write('transaction')
        return services.database.run(sql, values, transaction)
      }),
    statement: () => services.database.run(write('statement').sql, write('statement').values),
  }

  beforeAll(async () => {
    services = await createCoreServices(kind)
  })
  afterAll(() => services.close())

  beforeEach(async () => {
    await services.database.run(
      "INSERT INTO users (id, username, role, status) VALUES (2, 'admin', 10, 1)",
    )
    sessions = new Sessions(services)
    callers = createCallers(services)
    meanwhile = async () => undefined
    app = Fastify()
    registerGuards(app, {
      sessions,
      callers,
      rateClasses: { admit: async () => undefined },
      botChecks: () => [],
      optionMinRole: 10,
      lacksFactor: async () => false,
      hold: (caller, ...how) => holdCaller(services.database, caller, ...how),
      serverAddress: () => '',
      isDemo: () => false,
    })
    app.setErrorHandler(
      createErrorEdge({ relayError: () => expect.fail(), errorStatus: new Map() }),
    )
    app.post('/api/sign-in', { config: { access: 'public' } }, async (request, reply) => {
      await request.session.signIn(reply, 2)
      return {}
    })
    for (const [way, work] of Object.entries(ways)) {
      const handle = async () => {
        await meanwhile()
        await work()
        return { success: true }
      }
      app.post(`/api/${way}`, { config: { access: 'admin' } }, handle)
      app.post(`/api/screen/${way}`, { config: { access: 'session' } }, handle)
    }
  })
  afterEach(async () => {
    await app.close()
    sessions.close()
    callers.close()
    await services.database.run("DELETE FROM options WHERE key LIKE 'held-%'")
    await services.removeAccounts()
  })

  const signIn = async () => {
    const response = await app.inject({ method: 'POST', url: '/api/sign-in' })
    return [response.headers['set-cookie']].flat()[0] ?? ''
  }
  const call = async (url: string, cookie: string) => {
    const headers = { cookie, 'new-api-user': '2' }
    const response = await app.inject({ method: 'POST', url, headers })
    return response.json<{ success: boolean; code: string }>()
  }
  const written = async () =>
    (
      await services.database.select<{ value: string }>(
        "SELECT value FROM options WHERE key LIKE 'held-%'",
      )
    ).map(({ value }) => value)

  it.each(Object.keys(ways))('is written for who is let in: %s', async (way) => {
    expect(await call(`/api/${way}`, await signIn())).toMatchObject({ success: true })
    expect(await written()).toEqual([way])
  })

  it.each(Object.keys(ways))('is not for a session that has ended since: %s', async (way) => {
    meanwhile = () => sessions.endAll(2)
    for (const path of [`/api/${way}`, `/api/screen/${way}`])
      expect(await call(path, await signIn())).toMatchObject({ code: 'auth.required' })
    expect(await written()).toEqual([])
  })

  it.each(Object.keys(ways))('is not for an admin who is none any more: %s', async (way) => {
    meanwhile = () =>
      outsideTransaction(() => services.database.run('UPDATE users SET role = 1 WHERE id = 2'))
    expect(await call(`/api/${way}`, await signIn())).toMatchObject({
      code: 'access.role_too_low',
    })
    expect(await written()).toEqual([])
  })

  it('is written where the gateway does it for all, or goes on after the answer', async () => {
    const rest = Promise.withResolvers<unknown>()
    const answered = Promise.withResolvers<unknown>()
    app.post('/api/own', { config: { access: 'admin' } }, async () => {
      await sessions.endAll(2)
      await outsideTransaction(ways['statement']!)
      answered.promise.then(ways['transaction']).then(rest.resolve, rest.reject)
      return { success: true }
    })
    expect(await call('/api/own', await signIn())).toMatchObject({ success: true })
    answered.resolve(undefined)
    await rest.promise
    expect(await written()).toEqual(expect.arrayContaining(['statement', 'transaction']))
  })
})
