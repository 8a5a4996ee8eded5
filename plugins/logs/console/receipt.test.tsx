import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { factsOf, type LogFacts, type LogRow } from './log-row.ts'
import { Receipt } from './receipt.tsx'
import { factorsOf, groupDigits, sumDecimals } from './receipt-math.ts'

const row: LogRow = {
  id: 1,
  place: 0,
  created_at: 1_795_196_349,
  type: 2,
  content: '',
  user_id: 1,
  username: 'root',
  token_name: 'laptop',
  model_name: 'claude-sonnet-4',
  quota: 2678,
  prompt_tokens: 5010,
  completion_tokens: 35,
  use_time: 1,
  use_time_ms: 1_234,
  is_stream: false,
  channel: 2,
  channel_name: 'Main',
  group: 'default',
  other: JSON.stringify({
    model_ratio: 1.5,
    group_ratio: 1,
    completion_ratio: 5,
    model_price: -1,
    cache_ratio: 0.1,
    receipt: {
      lines: [
        { part: 'input', count: 210, unit_price: '1.5', amount: '315' },
        { part: 'cache_read', count: 4000, unit_price: '0.15', amount: '600' },
        { part: 'output', count: 35, unit_price: '7.5', amount: '262.5' },
      ],
      total: 1178,
    },
  }),
}

describe('the receipt of a log row', () => {
  it('shows every factor, the exact sum and the rounded charge', () => {
    render(<Receipt row={{ ...row, quota: 1178 }} facts={factsOf(row)} />)
    expect(screen.getByText('model ratio 1.5 × cache ratio 0.1 × group ratio 1')).toBeTruthy()
    expect(screen.getByText('1,177.5')).toBeTruthy()
    expect(screen.getByText('Rounded half up')).toBeTruthy()
    expect(screen.getByText('$0.002356')).toBeTruthy()
  })

  it('writes out a price far below a cent', () => {
    const lines = [{ part: 'input', count: 9, unit_price: '0.0000001', amount: '0.0000009' }]
    const facts = { ...factsOf(row), model_ratio: 1e-7, receipt: { lines, total: 1 } }
    render(<Receipt row={{ ...row, quota: 1 }} facts={facts} />)
    expect(screen.getByText('model ratio 0.0000001 × group ratio 1')).toBeTruthy()
    expect(screen.getByText('$0.0000002')).toBeTruthy()
  })

  it('names the models that drew and wrote a picture', () => {
    const lines = [
      { part: 'image_generation:input_image', count: 9, unit_price: '4', amount: '36' },
      { part: 'svg:output', count: 2, unit_price: '5', amount: '10' },
    ]
    const models = { image_generation_model: 'gpt-image-2', svg_model: 'gpt-6.2-sol' }
    const facts = { ...models, receipt: { lines, total: 46 } }
    render(<Receipt row={{ ...row, quota: 46 }} facts={facts} />)
    expect(screen.getByText('gpt-image-2: Image input')).toBeTruthy()
    expect(screen.getByText('gpt-6.2-sol: Output')).toBeTruthy()
  })

  it('names the models to which a session delegated work', () => {
    const lines = [
      { part: 'input', count: 30, unit_price: '1', amount: '30' },
      { part: 'delegated:output@acme@2', count: 2, unit_price: '5', amount: '10' },
      { part: 'delegated:tool:web_search@acme@2', count: 1, unit_price: '6', amount: '6' },
    ]
    render(<Receipt row={{ ...row, quota: 46 }} facts={{ receipt: { lines, total: 46 } }} />)
    expect(screen.getByText('acme@2: Output')).toBeTruthy()
    expect(screen.getByText('acme@2: Tool web_search')).toBeTruthy()
  })

  it('shows what the length of the prompt made of the price', () => {
    const lines = [
      { part: 'cache_read', count: 4000, unit_price: '0.3', amount: '1200' },
      { part: 'output', count: 35, unit_price: '11.25', amount: '393.75' },
    ]
    const step = { above: 1000, input: 2, output: 1.5 }
    const facts = { ...factsOf(row), price_step: step, receipt: { lines, total: 1594 } }
    render(<Receipt row={{ ...row, quota: 1178 }} facts={facts} />)
    const shown = 'model ratio 1.5 × cache ratio 0.1 × long prompt 2 × group ratio 1'
    expect(screen.getByText(shown)).toBeTruthy()
    const output = { part: 'output', unit_price: '11.25' }
    expect(factorsOf(output, facts, 500_000)).toContainEqual({ name: 'step', value: 1.5 })
  })

  it('says so when a row of an older version has none', () => {
    render(<Receipt row={row} facts={factsOf({ other: '' })} />)
    expect(screen.getByText('This row has no receipt.')).toBeTruthy()
  })

  it('shows what the number of pictures, or an answer from a cache, made of the price', () => {
    const pictures = { model_price: 0.04, price_factor: 3, group_ratio: 0.5 }
    const namesOf = (part: string, unit_price: string, facts: LogFacts) =>
      factorsOf({ part, unit_price }, facts, 500_000)?.map(({ name, value }) => [name, value])
    expect(namesOf('call', '30000', pictures)).toEqual([
      ['price', 0.04],
      ['unit', 500_000],
      ['pictures', 3],
      ['group', 0.5],
    ])
    const cached = { model_ratio: 1.5, group_ratio: 1, response_cache: { share: 0.1 } }
    expect(namesOf('input', '0.15', cached)?.at(-1)).toEqual(['share', 0.1])
  })

  it('groups the digits of the units that a dollar has', () => {
    const line = { part: 'call', count: 1, unit_price: '20000', amount: '20000' }
    const price = { model_price: 0.04, group_ratio: 1, receipt: { lines: [line], total: 20_000 } }
    render(<Receipt row={{ ...row, quota: 20_000 }} facts={price} />)
    expect(screen.getByText('price $0.04 × 500,000 units × group ratio 1')).toBeTruthy()
  })

  it('shows no factors that do not make the price, as of rows from before a dollar had other units', () => {
    const facts = { model_price: 0.04, group_ratio: 1 }
    expect(factorsOf({ part: 'call', unit_price: '20000' }, facts, 500_000)).toHaveLength(3)
    expect(factorsOf({ part: 'call', unit_price: '20000' }, facts, 250_000)).toBe(undefined)
  })

  it('takes the price of a tool from that tool alone', () => {
    const facts = { group_ratio: 1, web_search_price: 10 }
    const priceOf = (part: string) =>
      factorsOf({ part, unit_price: '5000' }, facts, 500_000)?.[0]?.value
    expect(priceOf('tool:web_search_preview_high')).toBe(10)
    expect(priceOf('tool:google_search')).toBe(10)
    expect(priceOf('tool:x_search')).toBe(undefined)
  })

  it('leaves the factors out when the row does not tell them all', () => {
    const line = { part: 'input_audio', unit_price: '1' }
    expect(factorsOf(line, { model_ratio: 1, group_ratio: 1 }, 500_000)).toBe(undefined)
  })
})

describe('adding decimal texts', () => {
  it.each([
    { texts: ['0.1', '0.2'], sum: '0.3' },
    { texts: ['315', '600', '262.5'], sum: '1177.5' },
    { texts: [], sum: '0' },
    { texts: ['9007199254740993', '0.0000000001'], sum: '9007199254740993.0000000001' },
  ])('$texts make $sum', ({ texts, sum }) => {
    expect(sumDecimals(texts)).toBe(sum)
  })

  it('groups the whole digits only', () => {
    expect(groupDigits('1234567.12345')).toBe('1,234,567.12345')
  })
})
