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

/** Each has its own memory.
 *  @param isHereWithin `here` runs in the process of the test, as in AppOptions; `there` never does */
export async function startPair({ isHereWithin = true } = {}): Promise<NodePair> {
  const test = await createPostgres()
  const upstream = await fakeUpstream()
  const env = {
    DATABASE_URL: test.settings.url ?? '',
    SECRET_KEY: 'two gateways of one mind, 32 long',
  }
  const here = await startApp({ env, isWithin: isHereWithin })
  await furnish({ here, upstream })
  const there = await startApp({ env, isSetUp: false })
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
