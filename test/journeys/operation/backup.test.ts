// The backup of SQLite, word for word as docs/operations.md has it, beside a gateway that serves.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer } from '#test'
import { callShop } from '../../harness/call-shop.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function documentedCommand(from: string, to: string): Promise<string> {
  const text = await readFile(join(repository, 'docs/operations.md'), 'utf8')
  const line = text.split('\n').find((one) => one.includes('VACUUM INTO'))
  return line?.replace('data/tollgate.db', from).replace(/backup\.db$/, to) ?? 'false'
}

describe('a backup of SQLite', () => {
  const shop = callShop({ isWithin: true })

  it('is made under load, without a Node on the PATH, and is in order when it is restored', async () => {
    const restored = join(folder, 'restored')
    await mkdir(restored)
    const customer = await addCustomer(shop.app.root, 'ada', 1_000_000)
    const load = shop.load(customer, 4)
    await shop.call(customer)
    const database = join(restored, 'tollgate.db')
    const command = await documentedCommand(join(shop.app.dataDir, 'tollgate.db'), database)
    const options = { cwd: repository, env: { PATH: '' } }
    await promisify(execFile)('/bin/sh', ['-c', command], options)
    await load.stop()
    await copyFile(join(shop.app.dataDir, 'secret.key'), join(restored, 'secret.key'))
    const env = { DATA_DIR: restored, DATABASE_URL: '' }
    expect(await shop.app.commandIn(env, 'ledger', 'verify')).toEqual({
      code: 0,
      output: '2 users checked, every balance is right\n',
    })
  })
})
