import { describe, expect, it } from 'vitest'
import { databaseKinds } from '../../test/harness/databases.ts'
import { ledgerVerify } from './ledger-verify.ts'

describe.each(databaseKinds)('tollgate ledger verify on $name', ({ create }) => {
  it('ends with 0 when all is right, else names each fault and ends with 1', async () => {
    const { database, close } = await create()
    const lines: string[] = []
    const verify = () => ledgerVerify({ database, print: (line) => lines.push(line) })
    await database.run(`INSERT INTO users (id, username) VALUES (1, 'ann'), (2, 'bob')`)
    expect(await verify()).toBe(0)
    await database.run('UPDATE users SET quota = 5 WHERE id = 1')
    await database.run('UPDATE users SET leased = 3 WHERE id = 2')
    expect(await verify()).toBe(1)
    expect(lines).toEqual([
      '2 users checked, every balance is right',
      'user 1: the balance is 5, the sum of its entries is 0',
      'user 2: 3 units are marked as leased, nodes hold 0',
      '2 users checked, 2 faults',
    ])
    await close()
  })
})
