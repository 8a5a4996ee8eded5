// Two gateways on one PostgreSQL that sell models at a fixed price.
import { expect } from 'vitest'
import { type App, fakeUpstream, startApp } from '#test'
import { createPostgres, type TestDatabase } from '../../harness/databases.ts'
import { furnish } from './common-truth.ts'

export interface NodePair {
  test: TestDatabase
  here: App
  there: App
  /** After both have ended the books must be in order. */
  close(): Promise<void>
}

export async function startPair(): Promise<NodePair> {
  const test = await createPostgres()
  const upstream = await fakeUpstream()
  const env = {
    DATABASE_URL: test.settings.url ?? '',
    SECRET_KEY: 'two gateways of one mind, 32 long',
  }
  const here = await startApp({ env })
  await furnish({ here, upstream })
  const there = await startApp({ env, isSetUp: false })
  return {
    test,
    here,
    there,
    close: async () => {
      await there.close()
      const { code, output } = await here.command('ledger', 'verify')
      await here.close()
      await upstream.close()
      await test.close()
      expect({ code, output }).toMatchObject({ code: 0 })
    },
  }
}
