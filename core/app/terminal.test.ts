import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createPostgres, hasPostgres } from '../../test/harness/databases.ts'
import { databaseAway } from '../data/database-errors.ts'
import { openDatabase } from '../data/database.ts'
import { greet, reasonOf } from './terminal.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

describe('the greeting', () => {
  it.each([
    { isTTY: true, says: 'http://localhost:3000' },
    { isTTY: false, says: '' },
  ])('says "$says" where the output is a terminal: $isTTY', ({ isTTY, says }) => {
    const lines: string[] = []
    greet('http://127.0.0.1:3000', {
      isTTY,
      write: (line: string) => lines.push(line),
    } as unknown as NodeJS.WriteStream)
    expect(lines.join('').match(/http\S+/)?.[0] ?? '').toBe(says)
  })
})

describe('a gateway that a shell of npm has started', () => {
  it('ends when that shell is ended', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-npm-'))
    // The second command keeps the shell: with one alone it would become the gateway.
    const command = `"${process.execPath}" core/start.ts --end-with-parent; true`
    const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' }
    const shell = spawn('sh', ['-c', command], {
      cwd: repository,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const lines = createInterface({ input: shell.stdout })
    let address = ''
    for await (const line of lines) {
      const entry = JSON.parse(line) as { msg: string; address?: string }
      if (entry.msg === 'listening') {
        address = entry.address ?? ''
        break
      }
    }
    shell.kill('SIGTERM')
    await once(shell, 'exit')
    const isGone = () =>
      fetch(`${address}/healthz`).then(
        () => false,
        () => true,
      )
    await expect.poll(isGone).toBe(true)
    await rm(dataDir, { recursive: true, force: true })
  })
})

describe('why a start failed', () => {
  it('is told with what clients are not told', () => {
    const cause = new Error('SQLITE_FULL: database or disk is full')
    expect(reasonOf(databaseAway({}, { cause }))).toMatch(
      / \(SQLITE_FULL: database or disk is full\)$/,
    )
    expect(reasonOf(new Error('PORT 1 is in use', { cause }))).toBe('PORT 1 is in use')
  })

  it('says how many connections a process takes, where PostgreSQL gives it too few', () => {
    const cause = Object.assign(new Error('too many clients already'), { code: '53300' })
    expect(reasonOf(new Error('PostgreSQL refuses', { cause }))).toBe(
      'PostgreSQL refuses; a process takes five connections at least, and fifteen at the most',
    )
  })

  it.runIf(hasPostgres)('says that a server only reads, as a replica does', async () => {
    const test = await createPostgres()
    const url = new URL(test.settings.url ?? '')
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const reading = await openDatabase({ ...test.settings, url: url.href })
    expect(await reading.run('CREATE TABLE mine (id INT)').catch(reasonOf)).toBe(
      'the PostgreSQL that DATABASE_URL names refuses: cannot execute CREATE TABLE in a read-only transaction; it only reads, as a replica does: name the one that writes',
    )
    await reading.close()
    await test.close()
  })

  it.runIf(hasPostgres)(
    'names DATABASE_URL where PostgreSQL refuses its role something',
    async () => {
      const owner = await createPostgres()
      const name = `poor_${randomUUID().replaceAll('-', '')}`
      await owner.database.run(`CREATE ROLE ${name} LOGIN`)
      const url = new URL(owner.settings.url ?? '')
      url.username = name
      const poor = await openDatabase({ ...owner.settings, url: url.href })
      const refusals = ['CREATE TABLE mine (id INT)', 'DROP TABLE users'].map((sql) =>
        poor.run(sql).catch(reasonOf),
      )
      expect(await Promise.all(refusals)).toEqual([
        'the PostgreSQL that DATABASE_URL names refuses: permission denied for schema public',
        'the PostgreSQL that DATABASE_URL names refuses: must be owner of table users',
      ])
      await poor.close()
      await owner.database.run(`DROP ROLE ${name}`)
      await owner.close()
    },
  )
})
