import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../contract/neutral.ts'
import { oneBlockAtATime } from './one-block.ts'

const start = (index: number): ChatEvent => ({
  type: 'tool_start',
  index,
  id: `c${index}`,
  name: 'f',
})
const args = (index: number, delta: string): ChatEvent => ({ type: 'tool_args', index, delta })
const end = (index: number): ChatEvent => ({ type: 'tool_end', index })
const text = (delta: string): ChatEvent => ({ type: 'text', delta })
const finish: ChatEvent = { type: 'finish', reason: 'tool_calls' }

function ordered(events: readonly ChatEvent[]): ChatEvent[] {
  const order = oneBlockAtATime()
  return events.flatMap((event) => order(event))
}

describe('tool calls whose pieces are mixed', () => {
  it('come one after the other, and what stood between them after the first of them', () => {
    const mixed = [
      text('a'),
      start(0),
      start(1),
      args(1, '{'),
      text('b'),
      args(0, '{}'),
      start(2),
      args(1, '}'),
      end(0),
      end(2),
      text('c'),
      end(1),
      text('d'),
      finish,
    ]
    expect(ordered(mixed)).toEqual([
      text('a'),
      start(0),
      args(0, '{}'),
      end(0),
      start(1),
      args(1, '{'),
      args(1, '}'),
      end(1),
      text('b'),
      start(2),
      end(2),
      text('c'),
      text('d'),
      finish,
    ])
  })

  it('are each whole and in the order of their beginnings, however they are mixed', () => {
    const calls = fc.integer({ min: 1, max: 6 })
    fc.assert(
      fc.property(calls, fc.array(fc.nat(), { maxLength: 60 }), (count, picks) => {
        const left = Array.from({ length: count }, (_, index) => [
          start(index),
          args(index, '{'),
          args(index, '}'),
          end(index),
        ])
        const mixed: ChatEvent[] = []
        for (const pick of [...picks, ...Array.from({ length: count * 4 }, () => 0)]) {
          const open = left.filter((events) => events.length > 0)
          const next = open[pick % Math.max(1, open.length)]?.shift()
          if (next) mixed.push(next)
        }
        const begun = mixed.flatMap((event) => (event.type === 'tool_start' ? [event.index] : []))
        expect(ordered([...mixed, finish])).toEqual([
          ...begun.flatMap((index) => [
            start(index),
            args(index, '{'),
            args(index, '}'),
            end(index),
          ]),
          finish,
        ])
      }),
    )
  })

  it('are looked at as often each, however many there are', () => {
    const looksAt = (count: number) => {
      let looks = 0
      const watched = (event: ChatEvent) =>
        new Proxy(event, {
          get: (target, name) => {
            looks += 1
            return Reflect.get(target, name) as unknown
          },
        })
      const indexes = Array.from({ length: count }, (_, index) => index)
      const all = [start, (index: number) => args(index, '{}'), end].flatMap((of) =>
        indexes.map(of),
      )
      ordered(all.map(watched))
      return looks / count
    }
    expect(looksAt(400)).toBeLessThan(looksAt(40) * 1.5)
  })
})
