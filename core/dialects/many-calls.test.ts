// What a client says costs no more than its length: thousands of calls and results are not compared each with each.
import { expect, it } from 'vitest'
import { processorTime } from '../../test/harness/clock.ts'
import type { ChatDialect } from '../contract/dialect.ts'
import { codecs } from './index.ts'

const MANY = 40_000
const numbers = [...Array(MANY).keys()]
const backwards = numbers.toReversed()

const histories: { name: string; dialect: ChatDialect; body: object }[] = [
  {
    name: 'the Responses API',
    dialect: 'openai-responses',
    body: {
      model: 'm',
      input: [
        ...numbers.map((n) => ({ type: 'function_call', call_id: `c${n}`, name: 'f' })),
        ...numbers.map((n) => ({ type: 'function_call_output', call_id: `c${n}`, output: '' })),
      ],
    },
  },
  { name: 'Gemini, by name', dialect: 'gemini', body: geminiBody((n) => ({ name: `f${n}` })) },
  {
    name: 'Gemini, by id',
    dialect: 'gemini',
    body: geminiBody((n) => ({ name: 'f', id: `${n}` })),
  },
]

function geminiBody(named: (n: number) => object): object {
  const results = backwards.map((n) => ({ functionResponse: { ...named(n), response: {} } }))
  return {
    contents: [
      { role: 'model', parts: numbers.map((n) => ({ functionCall: named(n) })) },
      { role: 'user', parts: results },
    ],
  }
}

it.each(histories)('reads $name', ({ dialect, body }) => {
  const spent = processorTime()
  codecs[dialect].parseRequest({ ...body }, { model: 'm' })
  expect(spent()).toBeLessThan(2_500)
})
