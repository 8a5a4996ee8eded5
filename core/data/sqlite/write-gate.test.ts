import { expect, it } from 'vitest'
import { WriteGate, type WriteLane } from './write-gate.ts'

/** Takes the gate once for each, all at once, and tells in which order they had it. */
async function orderOf(lanes: readonly WriteLane[]): Promise<string> {
  const gate = new WriteGate()
  await gate.take()
  const order: WriteLane[] = []
  const turns = lanes.map(async (lane) => {
    await gate.take(lane)
    order.push(lane)
    gate.free()
  })
  gate.free()
  await Promise.all(turns)
  expect(gate.isAwaited).toBe(false)
  return order.join(' ')
}

it('lets what calls wait for wait for one other work, whatever came before it', async () => {
  expect(await orderOf(['work', 'work', 'work', 'work', 'call'])).toBe('call work work work work')
  expect(await orderOf(['work', 'work', 'call', 'call'])).toBe('call work call work')
})

it('lets other work have its turns beside calls that never end', async () => {
  const gate = new WriteGate()
  await gate.take('call')
  let commits = 0
  const work = gate.take('work').then(() => 'had its turn')
  const calls = async () => {
    for (; commits < 1_000; commits += 1) {
      await gate.take('call')
      gate.free()
    }
    return 'were served first'
  }
  const served = Promise.race([work, calls()])
  gate.free()
  expect(await served).toBe('had its turn')
})

it('keeps the order of arrival within a lane', async () => {
  const gate = new WriteGate()
  await gate.take()
  const order: number[] = []
  const turns = [1, 2, 3].map(async (number) => {
    await gate.take('work')
    order.push(number)
    gate.free()
  })
  gate.free()
  await Promise.all(turns)
  expect(order).toEqual([1, 2, 3])
})
