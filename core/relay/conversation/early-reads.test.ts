import { expect, it } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import type { ClusterBus } from '../../contract/services.ts'
import { countTokens } from '../../billing/counting/count-tokens.ts'
import { EarlyReads } from './early-reads.ts'

/** Two nodes that hear each other. */
function nodes(): [EarlyReads, EarlyReads] {
  const listeners: ((payload: JsonObject) => unknown)[] = []
  const cluster = {
    publish: async (_topic: string, payload: JsonObject) => {
      for (const listener of listeners) listener(payload)
    },
    subscribe: (_topic: string, listener: (payload: JsonObject) => unknown) => {
      listeners.push(listener)
      return () => undefined
    },
  } as Pick<ClusterBus, 'publish' | 'subscribe'>
  return [new EarlyReads(cluster), new EarlyReads(cluster)]
}

const words = ['one', ' two', ' three', ' four']
const event = (at: number) => {
  const type = 'response.output_text.delta'
  const data = JSON.stringify({ type, sequence_number: at, output_index: 0, delta: words[at] })
  return { event: type, data, raw: '' }
}
const tokens = (...read: number[]) => countTokens(read.map((at) => words[at]).join(''), 'm')

it('counts each event once, however often it is read', () => {
  const [reads] = nodes()
  for (const some of [[0, 1], [0, 1, 2], [2]]) {
    const stream = reads.stream('r', 'm', -1)
    for (const at of some) stream.see(event(at))
    stream.end()
  }
  expect(reads.of('r')).toEqual({ output: tokens(0, 1, 2), isRest: false })
  reads.forget('r')
  expect(reads.of('r')).toEqual({ output: 0, isRest: false })
})

it('counts what has no number by its place, and passes over what cannot be read', () => {
  const [reads] = nodes()
  const bare = { event: undefined, raw: '' }
  const type = 'response.output_text.delta'
  for (let time = 0; time < 2; time += 1) {
    const stream = reads.stream('r', 'm', -1)
    stream.see({ ...bare, data: 'no JSON' })
    stream.see({ ...bare, data: JSON.stringify({ type, delta: 'one' }) })
    stream.end()
  }
  expect(reads.of('r').output).toBe(tokens(0))
})

it('lets other nodes know, and says where a stream went on from another', () => {
  const [here, there] = nodes()
  const stream = here.stream('r', 'm', 2)
  stream.see(event(3))
  expect(there.of('r').output).toBe(0)
  stream.end()
  expect(there.of('r')).toEqual({ output: tokens(3), isRest: true })
})

it('counts what comes first although the end was read before', () => {
  const [here, there] = nodes()
  for (const [after, some] of [
    [2, [3]],
    [-1, [0, 1, 2, 3]],
    [0, [1, 2, 3]],
  ] as const) {
    const stream = here.stream('r', 'm', after)
    for (const at of some) stream.see(event(at))
    stream.end()
  }
  const read = { output: tokens(3), isRest: true, head: tokens(0, 1, 2) }
  expect(here.of('r')).toEqual(read)
  expect(there.of('r')).toEqual(read)
})

it('counts two readers at different places once', () => {
  const [reads] = nodes()
  const first = reads.stream('r', 'm', -1)
  const second = reads.stream('r', 'm', -1)
  first.see(event(0))
  for (const at of [0, 1, 2]) second.see(event(at))
  for (const at of [1, 2, 3]) first.see(event(at))
  expect(reads.of('r')).toEqual({ output: tokens(0, 1, 2, 3), isRest: false })
})
