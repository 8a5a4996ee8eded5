import { expect, it } from 'vitest'
import { SerialQueue } from './serial-queue.ts'

it('runs work in the order of asking, also behind a piece that fails', async () => {
  const queue = new SerialQueue()
  const seen: string[] = []
  const piece = (name: string) => async () => {
    seen.push(`${name} begins`)
    await Promise.resolve()
    seen.push(`${name} ends`)
    if (name === 'one') throw new Error('broken')
    return name
  }
  const one = queue.run(piece('one'))
  const two = queue.run(piece('two'))
  await expect(one).rejects.toThrow('broken')
  expect(await two).toBe('two')
  expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
})

it('tells when all that was asked for is over', async () => {
  const queue = new SerialQueue()
  let isDone = false
  const failed = queue.run(async () => {
    await Promise.resolve()
    isDone = true
    throw new Error('broken')
  })
  await queue.over()
  expect(isDone).toBe(true)
  await expect(failed).rejects.toThrow('broken')
})
