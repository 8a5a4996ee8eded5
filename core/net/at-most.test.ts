import { expect, it } from 'vitest'
import { atMost } from './at-most.ts'

it('runs so many at once, lets so many wait and refuses the rest', async () => {
  const ends: (() => void)[] = []
  const inTurn = atMost(2, 1, () => new Error('full'))
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
