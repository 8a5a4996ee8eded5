import { describe, expect, it } from 'vitest'
import { dollarsOf, ratioOf, rowsOf, soundRow, withRows } from './price-maps.ts'

const wire = {
  ModelPrice: '{"dall-e":0.04}',
  ModelRatio: '{"gpt-4o":1.25,"o3":1}',
  CompletionRatio: '{"gpt-4o":4,"gpt-4*":2}',
}

describe('prices as rows of models', () => {
  it('has one row for each model with a price or a ratio', () => {
    expect(rowsOf(wire)).toEqual([
      { name: 'dall-e', price: 0.04, ratio: undefined, completionRatio: undefined },
      { name: 'gpt-4o', price: undefined, ratio: 1.25, completionRatio: 4 },
      { name: 'o3', price: undefined, ratio: 1, completionRatio: undefined },
    ])
  })

  it('changes only the maps that a row touches, and no other entry', () => {
    const changed = withRows(wire, [{ name: 'o3', ratio: 2 }])
    expect(Object.keys(changed)).toEqual(['ModelRatio'])
    expect(JSON.parse(changed['ModelRatio'] ?? '')).toEqual({ 'gpt-4o': 1.25, o3: 2 })
  })

  it('moves a model from ratios to a fixed price', () => {
    const row = soundRow({ name: 'gpt-4o', price: 0.1, ratio: 1.25, completionRatio: 4 })
    const changed = withRows(wire, [row])
    expect(JSON.parse(changed['ModelPrice'] ?? '')).toEqual({ 'dall-e': 0.04, 'gpt-4o': 0.1 })
    expect(JSON.parse(changed['ModelRatio'] ?? '')).toEqual({ o3: 1 })
    expect(JSON.parse(changed['CompletionRatio'] ?? '')).toEqual({ 'gpt-4*': 2 })
  })

  it('removes a model everywhere, and takes any name', () => {
    const odd = { ...wire, ModelRatio: '{"constructor":3}' }
    expect(rowsOf(odd).map(({ name }) => name)).toEqual(['constructor', 'dall-e'])
    expect(withRows(odd, [{ name: 'constructor' }])).toEqual({ ModelRatio: '{}' })
  })

  it('writes steps that a row says, and leaves those of a row that says nothing of them', () => {
    const step = { above: 200_000, input: 2, output: 1.5 }
    const stepped = { ...wire, PriceSteps: JSON.stringify({ 'gpt-4o': [step] }) }
    expect(rowsOf(stepped)[1]).toMatchObject({ name: 'gpt-4o', steps: [step] })
    expect(withRows(stepped, [{ name: 'gpt-4o', ratio: 2, completionRatio: 4 }])).toEqual({
      ModelRatio: '{"gpt-4o":2,"o3":1}',
    })
    const none = withRows(stepped, [
      { name: 'gpt-4o', ratio: 1.25, completionRatio: 4, steps: [] },
      { name: 'o3', ratio: 1, steps: [step] },
    ])
    expect(none).toEqual({ PriceSteps: JSON.stringify({ 'gpt-4o': [], o3: [step] }) })
    const gone = withRows(stepped, [{ name: 'gpt-4o', steps: undefined }])
    expect(gone['PriceSteps']).toBe('{}')
  })

  it('stands a model before the one with the greater number', () => {
    const many = { ModelRatio: '{"m-10":1,"m-2":1,"M-1":1}' }
    expect(rowsOf(many).map(({ name }) => name)).toEqual(['M-1', 'm-2', 'm-10'])
  })

  it('converts a ratio to dollars for a million tokens and back', () => {
    expect(dollarsOf(1.25, 500_000)).toBe(2.5)
    expect(dollarsOf(0.15, 500_000)).toBe(0.3)
    expect(ratioOf(0.3, 500_000)).toBe(0.15)
  })
})
