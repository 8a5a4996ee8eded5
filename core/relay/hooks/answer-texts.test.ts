import { describe, expect, it } from 'vitest'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { TextTransform } from '../../contract/relay.ts'
import type { AdmittedCall } from '../call/relay-call.ts'
import { AnswerTexts } from './answer-texts.ts'

const call = { requestId: 'it', view: {} } as AdmittedCall
const piece = 'x'.repeat(1_048_576)
const begin: ChatEvent = { type: 'tool_start', index: 0, id: 'call_1', name: 'write' }

function textsOf(onFailure: TextTransform['onFailure']) {
  const faults: unknown[] = []
  const log = { ...quietLog, error: (facts: object) => void faults.push(facts) }
  const hook: TextTransform = {
    id: 'it',
    stage: 'relay.text',
    onFailure,
    open: () => (text) => ({ text }),
  }
  return { faults, texts: new AnswerTexts([hook], call, { log }) }
}

/** As an upstream that never ends them. @returns the characters that were let through */
function pour(texts: AnswerTexts): number {
  texts.map(begin)
  let shown = 0
  for (let count = 0; count < 12; count += 1)
    for (const event of texts.map({ type: 'tool_args', index: 0, delta: piece }))
      shown += event.type === 'tool_args' ? event.delta.length : 0
  return shown
}

describe('arguments of a tool without end', () => {
  it('go on past a hook that is open, which is told', () => {
    const { texts, faults } = textsOf('open')
    expect(pour(texts)).toBe(12 * piece.length)
    expect(faults).toHaveLength(1)
  })

  it('end the answer where the hook is closed', () => {
    const { texts, faults } = textsOf('closed')
    expect(() => pour(texts)).toThrow(expect.objectContaining({ status: 500 }))
    expect(faults).toHaveLength(1)
  })
})
