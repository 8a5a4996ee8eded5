import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/harness/clock.ts'
import { codecs } from '../index.ts'
import type { JsonObject } from '../../contract/json.ts'
import { fitToolNames, namesApart, OPENAI_NAMES } from './tool-names.ts'

const responses = codecs['openai-responses']
const many = 40_000
const fn = (name: string) => ({ type: 'function', name })
const bodyOf = (tools: readonly JsonObject[], more: JsonObject = {}) => ({
  model: 'm',
  input: 'x',
  tools,
  ...more,
})

/** Far beyond the linear work of these tests, far below the square of it. */
const boundMs = 3_000

describe('telling many tools apart', () => {
  it('counts on from the last number of a name', () => {
    const nameApart = namesApart(new Set(['a', 'a_3']))
    expect(['a', 'b', 'a', 'b', 'a'].map(nameApart)).toEqual(['a_2', 'b', 'a_4', 'b_2', 'a_5'])
  })

  it('keeps within the longest name', () => {
    const nameApart = namesApart(new Set(), { longest: 10 })
    expect(['abcdefghij', 'abcdefghij'].map(nameApart)).toEqual(['abcdefghij', 'abcdefgh_2'])
  })

  it('takes linear time for names that are cut to one and the same', () => {
    const tools = Array.from({ length: many }, (_, index) => ({ name: 'n'.repeat(80) + index }))
    const spentMs = processorTime()
    const rename = fitToolNames(responses.parseRequest(bodyOf([]), {}), OPENAI_NAMES, undefined)
    const sent = new Set(tools.map(({ name }) => rename(name)))
    expect(sent.size).toBe(many)
    expect(spentMs()).toBeLessThan(boundMs)
  })

  it('takes linear time for namespaces that hold tools of one name', () => {
    const group = { type: 'namespace', name: 'n', tools: [fn('f')] }
    const spentMs = processorTime()
    const { tools } = responses.parseRequest(bodyOf(Array.from({ length: many }, () => group)), {})
    expect(new Set(tools.map(({ name }) => name)).size).toBe(many)
    expect(spentMs()).toBeLessThan(boundMs)
  })

  it('reads a namespace of more tools than a call takes arguments', () => {
    const group = {
      type: 'namespace',
      name: 'n',
      tools: Array.from({ length: 150_000 }, () => fn('f')),
    }
    expect(responses.parseRequest(bodyOf([group]), {}).tools).toHaveLength(150_000)
  })

  it('lists the tools of a namespace once, however often it is allowed', () => {
    const tools = Array.from({ length: many }, (_, index) => fn(`f${index}`))
    const allowed = Array.from({ length: many }, () => ({ type: 'namespace', name: 'n' }))
    const choice = { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: allowed } }
    const spentMs = processorTime()
    const { toolChoice } = responses.parseRequest(
      bodyOf([{ type: 'namespace', name: 'n', tools }], choice),
      {},
    )
    expect(toolChoice).toMatchObject({ mode: 'some', names: tools.map(({ name }) => name) })
    expect(spentMs()).toBeLessThan(boundMs)
  })

  it.each(['openai-chat', 'anthropic-messages', 'gemini'] as const)(
    'offers %s many allowed tools in linear time',
    (dialect) => {
      const tools = Array.from({ length: many }, (_, index) => fn(`f${index}`))
      const choice = {
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [...tools].reverse() },
      }
      const request = responses.parseRequest(bodyOf(tools, choice), {})
      const spentMs = processorTime()
      const built = codecs[dialect].buildRequest(request, {
        upstreamModel: 'm',
        dropped: [],
        option: () => undefined as never,
      })
      expect(JSON.stringify(built)).toContain('f39999')
      expect(spentMs()).toBeLessThan(boundMs)
    },
  )
})
