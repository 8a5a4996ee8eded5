import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type FieldSchema, fromWire, kindOf, toWire } from './schema.ts'
import { SchemaForm, wordsOf } from './schema-form.tsx'

const schema: FieldSchema = {
  type: 'object',
  properties: {
    PingEnabled: { type: 'boolean', default: false },
    ping_seconds: { type: 'integer', minimum: 1 },
    ApiSecret: { type: 'string', 'x-ui': { secret: true } },
    LegacyThing: { type: 'string', 'x-ui': { hidden: true } },
  },
}

describe('a form drawn from a schema', () => {
  it('gives every visible property a labelled control', () => {
    render(<SchemaForm schema={schema} value={{ PingEnabled: true, ping_seconds: 60 }} />)
    expect(screen.getByLabelText('Ping enabled').getAttribute('aria-checked')).toBe('true')
    expect(screen.getByLabelText('Ping seconds')).toHaveProperty('value', '60')
    expect(screen.queryByText('Legacy thing')).toBeNull()
  })

  it('says what is wrong below the field', () => {
    render(<SchemaForm schema={schema} value={{ ping_seconds: 0 }} />)
    expect(screen.getByRole('alert').textContent).toBe('At least 1.')
  })

  it('says that a secret is set and never shows one', () => {
    render(<SchemaForm schema={schema} secretsSet={['ApiSecret']} />)
    expect(screen.getByText('Set')).toBeTruthy()
    expect(document.querySelector('input[type=password]')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Api secret' }))
    expect(document.querySelector('input[type=password]')).toHaveProperty('value', '')
  })
})

describe('values on the wire', () => {
  it.each([
    { field: { type: 'boolean' }, wire: 'true', value: true },
    { field: { type: 'integer' }, wire: '60', value: 60 },
    { field: { type: 'array', items: { type: 'string' } }, wire: '["a"]', value: ['a'] },
    { field: { type: 'string' }, wire: '5', value: '5' },
  ] as { field: FieldSchema; wire: string; value: unknown }[])(
    'reads and writes $wire',
    ({ field, wire, value }) => {
      expect(fromWire(field, wire)).toEqual(value)
      expect(toWire(value)).toBe(wire)
    },
  )

  it('takes a union of constants for a choice', () => {
    expect(kindOf({ anyOf: [{ const: 'hour' }, { const: 'day' }] })).toBe('choice')
  })

  it('makes words of a key that has no label', () => {
    expect(wordsOf('general_setting.ping_interval_seconds')).toBe('Ping interval seconds')
  })
})
