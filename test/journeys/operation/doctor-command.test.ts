// `tollgate doctor` names what keeps a gateway from starting.
import { type AddressInfo, createServer } from 'node:net'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '#test'
import { runDoctor } from '../../../core/cli/doctor/doctor.ts'
import { commandWithin } from '../../harness/gateway-process.ts'
import { type GatewayDatabase, gatewayDatabases } from '../../harness/gateway-databases.ts'

const lineOf = (output: string, subject: string) =>
  output.split('\n').find((line) => line.includes(`  ${subject}`)) ?? ''

describe.each(gatewayDatabases)('tollgate doctor on $name', ({ open, name }) => {
  let database: GatewayDatabase
  let app: App

  beforeAll(async () => {
    database = await open()
    app = await startApp({ env: database.env, isWithin: true })
  })
  afterAll(async () => {
    await app.close()
    await database.close()
  })

  const doctor = (env: Record<string, string>) => commandWithin({ ...app.env, ...env }, runDoctor)

  it('finds nothing wrong beside a gateway that serves', async () => {
    const PORT = new URL(app.url).port
    const { code, output } = await doctor({ PORT })
    expect(lineOf(output, 'port')).toBe(`ok       port           a gateway is serving on ${PORT}`)
    expect(lineOf(output, 'database')).toContain(name)
    expect(lineOf(output, 'secret key')).toMatch(/^ok/)
    expect(lineOf(output, 'setup')).toMatch(/^ok/)
    expect(lineOf(output, 'ServerAddress')).toMatch(/^warning/)
    expect(output).toContain('\n0 faults, ')
    expect(code).toBe(0)
  })

  it('names another key, a port that is taken and a Redis that does not answer', async () => {
    const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const env = { PORT: String(port), SECRET_KEY: 'x'.repeat(32), REDIS_URL: 'redis://127.0.0.1:1' }
    const { code, output } = await doctor(env)
    expect(lineOf(output, 'secret key')).toMatch(/^fault .*SECRET_KEY is not the one/)
    expect(lineOf(output, 'port')).toMatch(/^fault .*taken by another program/)
    expect(lineOf(output, 'redis')).toMatch(/^warning .*REDIS_URL: .*ECONNREFUSED/)
    expect(output).toContain('\n2 faults, ')
    expect(code).toBe(1)
    other.close()
  })
})

/** A Redis that answers each command with the same words, or these to `select` and OK to all others. */
async function wordyRedis(words: string, only?: string) {
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      for (const [, name] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
        socket.write(only === undefined || name === only ? `-${words}\r\n` : '+OK\r\n')
    })
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `redis://127.0.0.1:${port}/7`, close: () => server.close() }
}

describe('tollgate doctor', () => {
  let folder: string
  let app: App

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-doctor-'))
    app = await startApp({ isSetUp: false, isWithin: true })
    await app.process.stop()
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  const doctor = (env: Record<string, string>) => commandWithin({ ...app.env, ...env }, runDoctor)

  it('says before the first start that there is no database yet', async () => {
    const { code, output } = await doctor({ DATA_DIR: join(folder, 'new') })
    expect(lineOf(output, 'database')).toMatch(/^ok .*the first start makes it/)
    expect(code).toBe(0)
  })

  it.each([
    ['WRONGPASS invalid username-password pair', undefined],
    ['ERR DB index is out of range', 'select'],
  ])('finds the Redis at fault that would end a start by %j', async (words, only) => {
    const redis = await wordyRedis(words, only)
    const { code, output } = await commandWithin({ ...app.env, REDIS_URL: redis.url }, runDoctor)
    redis.close()
    expect(lineOf(output, 'redis')).toBe(
      `fault    redis          REDIS_URL names a Redis that refuses: ${words}`,
    )
    expect(code).toBe(1)
  })

  it('asks for the super admin of a gateway that nobody has set up', async () => {
    const { code, output } = await app.command('doctor')
    expect(lineOf(output, 'setup')).toMatch(/^warning/)
    expect(code).toBe(0)
  })

  it('says that the key is missing, and makes none in its place', async () => {
    await rm(join(app.dataDir, 'secret.key'))
    const { code, output } = await doctor({ SECRET_KEY: '' })
    expect(lineOf(output, 'secret key')).toMatch(/^fault .*there is no .*secret\.key/)
    expect(code).toBe(1)
    expect(await readdir(app.dataDir)).not.toContain('secret.key')
  })

  it.each([
    [{ PORT: 'x' }, 'environment', /PORT is wrong/],
    [{ DATA_DIR: '/proc/tollgate' }, 'data folder', /cannot be written/],
    [{ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' }, 'database', /cannot be used/],
  ] as const)('names what is wrong with %j', async (env, subject, text) => {
    const { code, output } = await doctor(env)
    expect(lineOf(output, subject)).toMatch(/^fault/)
    expect(lineOf(output, subject)).toMatch(text)
    expect(code).toBe(1)
  })

  it('takes nothing more', async () => {
    expect(await app.command('doctor', 'now')).toMatchObject({ code: 2 })
  })
})
