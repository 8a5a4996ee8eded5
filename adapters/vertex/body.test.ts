import { expect, it } from 'vitest'
import type { AttemptContext } from '#core'
import { toVertex } from './body.ts'

it('refuses a thread, which Vertex does not keep', async () => {
  const context: Partial<AttemptContext> = {}
  const body = { model: 'claude-sonnet-4-5', thread: { type: 'create' }, messages: [] }
  const made = toVertex(body, 'anthropic-messages', context as AttemptContext)
  await expect(made).rejects.toMatchObject({ field: 'thread' })
})
