import { expect, it } from 'vitest'
import { SealedReasoning } from './sealed-reasoning.ts'

const ADA = 1

function think(cache: SealedReasoning, callId: string, text: string): void {
  const see = cache.watch(ADA)
  see({ type: 'reasoning', delta: text })
  see({ type: 'reasoning_state', state: { owner: 'anthropic', data: 'sealed' } })
  see({ type: 'tool_start', index: 0, id: callId, name: 'look' })
}

it('recalls what was thought before a call, to its user alone', () => {
  const cache = new SealedReasoning()
  think(cache, 'call-1', 'Let me look.')
  expect(cache.recall(ADA, 'call-1')?.reasoning).toMatchObject([
    { text: 'Let me look.', state: { data: 'sealed' } },
  ])
  expect(cache.recall(2, 'call-1')).toBeUndefined()
})

it('forgets the oldest thoughts when all together become too long', () => {
  const cache = new SealedReasoning()
  const long = 'a'.repeat(1_000_000)
  for (let number = 0; number < 40; number += 1) think(cache, `call-${number}`, long)
  expect(cache.recall(ADA, 'call-0')).toBeUndefined()
  expect(cache.recall(ADA, 'call-39')).toBeDefined()
})

it('does not let one endless thought drive out all others', () => {
  const cache = new SealedReasoning()
  think(cache, 'short', 'Let me look.')
  think(cache, 'endless', 'a'.repeat(2 ** 21))
  expect(cache.recall(ADA, 'endless')).toBeUndefined()
  expect(cache.recall(ADA, 'short')).toBeDefined()
})
