import { expect, it } from 'vitest'
import { concurrencyLimit } from './concurrency-limit.ts'

it('runs so many at once, lets so many wait and refuses the rest', async () => {
  const ends: (() => void)[] = []
  const inTurn = concurrencyLimit(2, 1, () => new Error('full'))
  const work = () => inTurn(() => new Promise<void>((resolve) => ends.push(resolve)))
  const [first, second, third] = [work(), work(), work()]
  await expect(work()).rejects.toThrow('full')
  expect(ends).toHaveLength(2)
  ends[0]?.()
  await first
  await expect.poll(() => ends.length).toBe(3)
  for (const end of ends) end()
  await Promise.all([second, third])
  await expect(inTurn(async () => 'free again')).resolves.toBe('free again')
})

it('lets those in the lane go first, where the line is full too, and gives each name one place there', async () => {
  const ended: string[] = []
  let end = () => undefined as void
  const inTurn = concurrencyLimit(1, 2, () => new Error('full'))
  const running = inTurn(() => new Promise<void>((resolve) => (end = resolve)))
  const work = (name: string, lane?: string) => inTurn(async () => void ended.push(name), { lane })
  const waiting = [work('a'), work('b'), work('known', 'x')]
  await expect(work('c')).rejects.toThrow('full')
  await expect(work('known again', 'x')).rejects.toThrow('full')
  waiting.push(work('other', 'y'))
  await expect(work('third', 'z')).rejects.toThrow('full')
  end()
  await Promise.all([running, ...waiting])
  expect(ended).toEqual(['known', 'other', 'a', 'b'])
})
