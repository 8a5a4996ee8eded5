// Gemini's API does not compare names and ids of results with those of the calls before them.
import { describe, expect, it } from 'vitest'
import { codecs } from '../index.ts'

interface Said {
  name: string
  id?: string
}

function resultsOf(called: readonly Said[], ...answered: Said[][]) {
  return resultsBehind('model', called, ...answered)
}

function resultsBehind(role: string, called: readonly Said[], ...answered: Said[][]) {
  const contents = [
    { role: 'user', parts: [{ text: 'Look.' }] },
    { role, parts: called.map((functionCall) => ({ functionCall })) },
    ...answered.map((results) => ({
      role: 'function',
      parts: results.map((result) => ({ functionResponse: { ...result, response: {} } })),
    })),
  ]
  const { turns } = codecs.gemini.parseRequest({ contents }, { model: 'm' })
  const parts = turns.flatMap((turn) => turn.parts)
  const ofModel = turns.flatMap((turn) => (turn.role === 'model' ? turn.parts : []))
  const ids = ofModel.flatMap((part) => (part.kind === 'tool_call' ? [part.id] : []))
  return parts.flatMap((part) =>
    part.kind === 'tool_result' ? [{ call: ids.indexOf(part.callId), name: part.name }] : [],
  )
}

const [look, time] = [{ name: 'look' }, { name: 'time' }]
const unknown = { name: 'unknown' }

describe('a result of a function', () => {
  it('belongs to the oldest call of its name', () => {
    const results = resultsOf([look, time, look], [time, look, look])
    expect(results.map(({ call }) => call)).toEqual([1, 0, 2])
  })

  it('belongs to the oldest call if no call has its name', () => {
    const named = [
      { call: 0, name: 'look' },
      { call: 1, name: 'time' },
    ]
    expect(resultsOf([look, time], [unknown, unknown])).toEqual(named)
    expect(resultsOf([look, time], [unknown], [unknown])).toEqual(named)
  })

  it('belongs to the call of its name if no call has its id', () => {
    const results = resultsOf(
      [look, time],
      [
        { name: 'time', id: 'b' },
        { name: 'look', id: 'a' },
      ],
    )
    expect(results.map(({ call }) => call)).toEqual([1, 0])
  })

  it('belongs to the call of its id, also where that has a result already', () => {
    const [a, b] = [
      { name: 'look', id: 'a' },
      { name: 'look', id: 'b' },
    ]
    const results = resultsOf([a, b], [a, a, b])
    expect(results.map(({ call }) => call)).toEqual([0, 0, 1])
  })

  it('belongs to a call that the client wrote as that of an assistant', () => {
    const results = resultsBehind('assistant', [look, time], [{ name: 'time', id: 'time' }, look])
    expect(results.map(({ call }) => call)).toEqual([1, 0])
  })

  it('keeps its own name where there is no call', () => {
    expect(resultsOf([], [look])).toEqual([{ call: -1, name: 'look' }])
  })
})
