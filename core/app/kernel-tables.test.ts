import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds, type TestDatabase } from '../../test/harness/databases.ts'
import { pluginTable } from './kernel-tables.ts'

describe.each(databaseKinds)('the table of plugins on $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
  })

  afterAll(() => test.close())

  it('counts failures beside the switch, and forgets them when somebody switches or forgives', async () => {
    const table = pluginTable(test.database)
    const row = { id: 'sample', source: 'folder', version: '', confirmed: '' } as const
    const stored = async () => (await table.read())[0]
    await table.fail({ ...row, enabled: true, cause: 'first' })
    expect(await stored()).toMatchObject({ enabled: true, failures: 1, cause: 'first' })
    await table.fail({ ...row, enabled: false, cause: 'second' })
    expect(await stored()).toMatchObject({ enabled: true, failures: 2, cause: 'second' })
    await table.forgive('sample')
    expect(await stored()).toMatchObject({ enabled: true, failures: 0, cause: '' })
    await table.fail({ ...row, enabled: true, cause: 'third' })
    await table.write({ ...row, enabled: false })
    expect(await stored()).toMatchObject({ enabled: false, failures: 0, cause: '' })
  })
})
