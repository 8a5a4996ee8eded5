// Two gateways on one PostgreSQL that sell models at a fixed price.
import { type App, fakeUpstream, startApp } from '#test'
import { expectSoundBooks } from '../../harness/books.ts'
import { createPostgres, type TestDatabase } from '../../harness/databases.ts'
import { furnish } from './common-truth.ts'

export interface NodePair {
  test: TestDatabase
  here: App
  there: App
  /** After `there` has ended the books must be in order. */
  close(): Promise<void>
}

/** @param isWithin both in the process of the test, as in AppOptions */
export async function startPair({ isWithin = true } = {}): Promise<NodePair> {
  const test = await createPostgres()
  const upstream = await fakeUpstream()
  const env = {
    DATABASE_URL: test.settings.url ?? '',
    SECRET_KEY: 'two gateways of one mind, 32 long',
  }
  const here = await startApp({ env, isWithin })
  await furnish({ here, upstream })
  const there = await startApp({ env, isSetUp: false, isWithin })
  return {
    test,
    here,
    there,
    close: async () => {
      await there.close()
      try {
        await expectSoundBooks(here)
      } finally {
        await here.close()
        await upstream.close()
        await test.close()
      }
    },
  }
}
