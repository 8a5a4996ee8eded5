import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqlite, type TestDatabase } from '../../../test/harness/sqlite.ts'
import { openDatabase } from '../database.ts'
import { sqliteFileName } from './database.ts'

describe('the claim to serve an SQLite file', () => {
  let test: TestDatabase
  beforeEach(async () => {
    test = await createSqlite()
  })
  afterEach(() => test.close())

  it('is one for all who claim through the same service, until the last lets go', async () => {
    const other = await openDatabase(test.settings)
    const [first, second] = [await test.database.claim(), await test.database.claim()]
    await first()
    await expect(other.claim()).rejects.toThrow('Another process is serving')
    await second()
    await (await other.claim())()
    await other.close()
  })

  it('blames the disk, not another process, where the lock cannot be made', async () => {
    const file = join(test.settings.dataDir, `${sqliteFileName}.lock`)
    await writeFile(file, 'spoiled by a disk that was full\n'.repeat(40))
    await expect(test.database.claim()).rejects.toThrow(
      `${file} in DATA_DIR cannot be locked: file is not a database`,
    )
  })
})
