import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AnswerMeta, ChatDialect } from '../contract/dialect.ts'
import type { ChatEvent } from '../contract/neutral.ts'
import { codecs } from './index.ts'
import { noUsage } from './neutral/usage.ts'
import { answerMeta } from '../../test/harness/answer-meta.ts'

const meta = (requestedModel: string): AnswerMeta => answerMeta({ requestedModel })

/** What JSON says as it is. */
const plain = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => JSON.stringify(text) === `"${text}"`)

interface Run {
  type: 'run'
  kind: 'text' | 'reasoning'
  deltas: string[]
}

const run = fc.record<Run>({
  type: fc.constant('run'),
  kind: fc.constantFrom('text', 'reasoning'),
  deltas: fc.array(plain, { minLength: 1, maxLength: 5 }),
})
const usage = { ...noUsage, input: 3, output: 4 }
const others = fc.constantFrom<ChatEvent>(
  { type: 'start', id: 'a', model: 'm' },
  { type: 'text', delta: 'b' },
  { type: 'text', delta: 'c', choice: 1 },
  { type: 'refusal', delta: 'd' },
  { type: 'reasoning', delta: 'e' },
  { type: 'tool_start', index: 0, id: 'f', name: 'g' },
  { type: 'tool_args', index: 0, delta: '{}' },
  { type: 'tool_end', index: 0 },
  { type: 'image', mediaType: 'image/png', data: 'aa' },
  { type: 'usage', usage },
  { type: 'finish', reason: 'stop' },
)

// Answers of Responses tell the second of their end.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

describe('a run of pieces', () => {
  it.each(Object.keys(codecs) as ChatDialect[])('is written in %s as each by itself', (dialect) => {
    const steps = fc.array(fc.oneof(run, others), { maxLength: 12 })
    const model = fc.constantFrom('m', '%%text%%', '"quoted"')
    fc.assert(
      fc.property(steps, model, (all, name) => {
        const atOnce = codecs[dialect].streamWriter(meta(name))
        const oneByOne = codecs[dialect].streamWriter(meta(name))
        for (const step of all) {
          const events: ChatEvent[] =
            step.type === 'run' ? step.deltas.map((delta) => ({ type: step.kind, delta })) : [step]
          const expected = events.map((event) => oneByOne.write(event)).join('')
          const written =
            step.type === 'run' && atOnce.writeRun
              ? atOnce.writeRun(step.kind, step.deltas)
              : events.map((event) => atOnce.write(event)).join('')
          expect(written).toBe(expected)
        }
        expect(atOnce.end()).toBe(oneByOne.end())
      }),
      { numRuns: 300 },
    )
  })
})
