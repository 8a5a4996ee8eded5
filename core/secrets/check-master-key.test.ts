import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseKinds, type TestDatabase } from '../../test/harness/databases.ts'
import { tokens } from '../data/models/token.ts'
import { checkMasterKey, installationOf, openSecrets } from './check-master-key.ts'
import { createSecrets } from './secrets.ts'

const ofFile = { secretKey: '', dataDir: '/data' }
const ofVariable = { secretKey: 'a key of the environment', dataDir: '/data' }

describe.each(databaseKinds)('the master key of a database on $name', ({ create }) => {
  let test: TestDatabase

  beforeEach(async () => {
    test = await create()
  })
  afterEach(() => test.close())

  const nodeWith = (secrets = createSecrets(randomBytes(32))) => ({
    secrets,
    starts: (settings = ofVariable) =>
      checkMasterKey({ database: test.database, secrets }, settings),
  })

  it('is that of the first start, whatever was stored meanwhile', async () => {
    const [first, other] = [nodeWith(), nodeWith()]
    await first.starts()
    await expect(other.starts()).rejects.toThrow(/^SECRET_KEY is not the one/)
    await expect(other.starts(ofFile)).rejects.toThrow(
      /^the key in \/data\/secret.key is not the one .* SECRET_KEY .* other nodes/,
    )
    await first.starts(ofFile)
  })

  it('is one, also when nodes with keys of their own start together', async () => {
    const starts = await Promise.allSettled([nodeWith().starts(), nodeWith().starts()])
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is left in no file where another node was first, which the later one is told', async () => {
    const dirs = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'tollgate-key-'))))
    const sources = dirs.map((dataDir) => ({ secretKey: '', dataDir, isNew: true }))
    const nodes = await Promise.all(
      sources.map(async (source) => ({
        source,
        secrets: await openSecrets(test.database, source),
      })),
    )
    const starts = await Promise.allSettled(
      nodes.map(({ source, secrets }) =>
        checkMasterKey({ database: test.database, secrets }, source),
      ),
    )
    const files = await Promise.all(dirs.map((dir) => readdir(dir)))
    const [first, later] = starts[0]?.status === 'fulfilled' ? [0, 1] : [1, 0]
    expect([files[first], files[later]]).toEqual([['secret.key'], []])
    expect((starts[later] as PromiseRejectedResult).reason).toMatchObject({
      message: expect.stringMatching(/^another node .* started first.* set one SECRET_KEY/),
    })
    for (const dir of dirs) await rm(dir, { recursive: true })
  })

  it('is known by a stored secret where the database is of before', async () => {
    const [right, wrong] = [nodeWith(), nodeWith()]
    await tokens(test.database).create({
      user_id: 1,
      name: 'old',
      key: right.secrets.encrypt('sk-old'),
      key_hash: 'old',
      created_time: 1,
      accessed_time: 1,
      expired_time: -1,
    })
    await expect(wrong.starts()).rejects.toThrow(/^SECRET_KEY is not the one/)
    await right.starts()
    await expect(wrong.starts()).rejects.toThrow(/^SECRET_KEY is not the one/)
  })

  it('is asked for before anything is changed, also where its table is not there yet', async () => {
    const { database } = test
    const opens = (secretKey: string) => openSecrets(database, { secretKey, dataDir: '/data' })
    await nodeWith(await opens('the right passphrase')).starts()
    await expect(opens('a wrong passphrase')).rejects.toThrow(/^SECRET_KEY is not the one/)
    await opens('the right passphrase')
    await database.run('DROP TABLE master_key')
    await opens('a wrong passphrase')
    for (const table of ['channels', 'tokens']) await database.run(`DROP TABLE ${table}`)
    await opens('a wrong passphrase')
  })

  it('is not made anew beside a database that has one: its file has to come back', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-key-'))
    const opens = () => openSecrets(test.database, { secretKey: '', dataDir })
    await nodeWith(await opens()).starts()
    await rename(join(dataDir, 'secret.key'), join(dataDir, 'elsewhere'))
    await expect(opens()).rejects.toThrow(/^there is no .*secret\.key, and no SECRET_KEY: restore/)
    expect(await readdir(dataDir)).toEqual(['elsewhere'])
    await rename(join(dataDir, 'elsewhere'), join(dataDir, 'secret.key'))
    await nodeWith(await opens()).starts()
    await rm(dataDir, { recursive: true })
  })

  it('may move from its file into SECRET_KEY, beside passphrases of as many digits', async () => {
    const { database } = test
    const opens = (secretKey: string) => openSecrets(database, { secretKey, dataDir: '/data' })
    const digits = randomBytes(32).toString('hex')
    const first = nodeWith(createSecrets(Buffer.from(digits, 'hex')))
    await first.starts(ofFile)
    const sealed = first.secrets.encrypt('of the first node')
    for (const secretKey of [digits, `${digits}\n`]) {
      const moved = nodeWith(await opens(secretKey))
      await moved.starts()
      expect(moved.secrets.decrypt(sealed)).toBe('of the first node')
    }
    await expect(opens(randomBytes(32).toString('hex'))).rejects.toThrow(
      /what secret\.key .* holds$/,
    )

    await database.run('DELETE FROM master_key')
    const passphrase = await opens(digits)
    await nodeWith(passphrase).starts()
    expect((await opens(digits)).decrypt(passphrase.encrypt('later'))).toBe('later')
  })

  it('names the installation, which is the same at each start', async () => {
    const node = nodeWith()
    expect(await installationOf(test.database)).toBe('')
    await node.starts()
    const name = await installationOf(test.database)
    expect(name).toMatch(/^[0-9a-f]{16}$/)
    await node.starts()
    expect(await installationOf(test.database)).toBe(name)
  })
})
