import { expect, it } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

it('runs the work of one key in the order of asking, also behind one that fails, and that of others beside it', async () => {
  const queue = new KeyedQueue()
  const ended: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = queue.run('a', async () => {
    await promise
    ended.push('first')
    throw new Error('no')
  })
  const second = queue.run('a', async () => void ended.push('second'))
  await queue.run('b', async () => void ended.push('beside'))
  expect(ended).toEqual(['beside'])
  resolve()
  await expect(first).rejects.toThrow('no')
  await second
  expect(ended).toEqual(['beside', 'first', 'second'])
})
