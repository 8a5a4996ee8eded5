import { expect, it } from 'vitest'
import { UnsealedReasoning } from './unsealed-reasoning.ts'

const ADA = 1
const said = { id: 'look:0', name: 'look', arguments: '{"at":"sky"}' }

function think(memory: UnsealedReasoning, text: string, call = said): void {
  const see = memory.watch(ADA)
  see({ type: 'reasoning', delta: text })
  see({ type: 'tool_start', index: 0, id: call.id, name: call.name })
  see({ type: 'tool_args', index: 0, delta: call.arguments })
  see({ type: 'tool_end', index: 0 })
}

it('recalls what was thought before a call, to its user alone', () => {
  const memory = new UnsealedReasoning()
  think(memory, 'Let me look.')
  expect(memory.recall(ADA, said)).toBe('Let me look.')
  expect(memory.recall(ADA, { ...said, arguments: '{ "at" : "sky" }' })).toBe('Let me look.')
  expect(memory.recall(2, said)).toBeUndefined()
})

it.each([{ id: 'look:1' }, { name: 'see' }, { arguments: '{"at":"sea"}' }])(
  'knows nothing of a call that is another by %j',
  (other) => {
    const memory = new UnsealedReasoning()
    think(memory, 'Let me look.')
    expect(memory.recall(ADA, { ...said, ...other })).toBeUndefined()
  },
)

it('keeps apart the calls of one answer, of which the first has the thought', () => {
  const memory = new UnsealedReasoning()
  const see = memory.watch(ADA)
  see({ type: 'reasoning', delta: 'Both.' })
  for (const index of [0, 1]) see({ type: 'tool_start', index, id: `c${index}`, name: 'look' })
  for (const index of [1, 0]) see({ type: 'tool_args', index, delta: `{"n":${index}}` })
  for (const index of [1, 0]) see({ type: 'tool_end', index })
  expect(memory.recall(ADA, { id: 'c0', name: 'look', arguments: '{"n":0}' })).toBe('Both.')
  expect(memory.recall(ADA, { id: 'c1', name: 'look', arguments: '{"n":1}' })).toBeUndefined()
})

it('takes no arguments for no fields, and those that are no JSON as they are', () => {
  const memory = new UnsealedReasoning()
  think(memory, 'None.', { ...said, arguments: '' })
  expect(memory.recall(ADA, { ...said, arguments: '{}' })).toBe('None.')
  think(memory, 'Broken.', { ...said, arguments: '{"at":' })
  expect(memory.recall(ADA, { ...said, arguments: '{"at":' })).toBe('Broken.')
})

it('forgets the oldest when all together become too long', () => {
  const memory = new UnsealedReasoning()
  const text = 'a'.repeat(500_000)
  for (let number = 0; number < 40; number += 1) think(memory, text, { ...said, id: `c${number}` })
  expect(memory.recall(ADA, { ...said, id: 'c0' })).toBeUndefined()
  expect(memory.recall(ADA, { ...said, id: 'c39' })).toBeDefined()
})

it.each([
  ['thought', 'a'.repeat(600_000), '{}'],
  ['argument', 'Short.', JSON.stringify({ text: 'a'.repeat(300_000) })],
])('does not let an endless %s drive out others', (_what, text, argument) => {
  const memory = new UnsealedReasoning()
  think(memory, 'Let me look.')
  const endless = { ...said, id: 'endless', arguments: argument }
  think(memory, text, endless)
  expect(memory.recall(ADA, endless)).toBeUndefined()
  expect(memory.recall(ADA, said)).toBe('Let me look.')
})
