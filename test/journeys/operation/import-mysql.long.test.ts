// `tollgate import` from a real MySQL (MariaDB): apt-get install mariadb-server.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startApp } from '#test'
import { oldGatewaySql } from '../../harness/old-gateways/tables.ts'
import { newApiRows } from '../../harness/old-gateways/rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-mysql-'))
const port = 20_000 + (process.pid % 20_000)
const address = `127.0.0.1:${port}`
let server: ReturnType<typeof spawn>

const open = (database: string) =>
  createConnection({ uri: `mysql://importer:p%40ss@${address}/${database}` })

beforeAll(async () => {
  const data = join(folder, 'data')
  const own = ['--no-defaults', `--datadir=${data}`, '--user=root']
  execFileSync('mariadb-install-db', [...own, '--auth-root-authentication-method=socket'])
  const socket = join(folder, 'mysql.sock')
  const place = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${socket}`]
  server = spawn('mariadbd', [...own, ...place], { stdio: 'ignore' })
  const sql =
    "CREATE DATABASE oldapi CHARACTER SET utf8mb4; CREATE USER importer@'127.0.0.1' IDENTIFIED BY 'p@ss'; GRANT ALL ON oldapi.* TO importer@'127.0.0.1'"
  await vi.waitFor(
    () =>
      execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '-e', sql], {
        stdio: 'ignore',
      }),
    { timeout: 60_000, interval: 500 },
  )
  const connection = await open('oldapi')
  for (const statement of oldGatewaySql(newApiRows('http://127.0.0.1:9'), '`'))
    await connection.query(statement)
  await connection.end()
})

afterAll(() => {
  server.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  `mysql://importer:p%40ss@${address}/oldapi`,
  `importer:p@ss@tcp(${address})/oldapi?charset=utf8mb4&parseTime=True`,
])('reads %s', async (source) => {
  const app = await startApp({ isSetUp: false })
  await app.process.stop()
  const { code, output } = await app.command('import', source)
  for (const line of ['users: 4', 'tokens: 1', 'channels: 5', 'redemptions: 1', 'logs: 2'])
    expect(output.split('\n')).toContain(line)
  expect(code).toBe(0)
  await app.restart()
  expect(await app.root.get('/api/user/8')).toMatchObject({ username: 'bob', quota: -250 })
  await app.close()
})
