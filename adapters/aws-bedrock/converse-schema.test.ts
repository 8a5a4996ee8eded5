import { describe, expect, it } from 'vitest'
import { novaSchema } from './converse-schema.ts'

describe('the schema of a tool for Nova', () => {
  it('has type, properties and required only', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      title: 'T',
      additionalProperties: false,
      properties: { a: { type: 'string', title: 'A' } },
      required: ['a'],
    }
    expect(novaSchema(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'string', title: 'A' } },
      required: ['a'],
    })
    expect(novaSchema({ required: [] })).toEqual({ type: 'object', properties: {} })
  })

  it('holds what it referred to, and leaves open what refers to itself', () => {
    const schema = {
      type: 'object',
      properties: {
        place: { $ref: '#/$defs/place', description: 'Where' },
        tree: { $ref: '#/$defs/tree' },
      },
      $defs: {
        place: { type: 'object', properties: { name: { $ref: '#/$defs/name' } } },
        name: { type: 'string' },
        tree: { type: 'array', items: { $ref: '#/$defs/tree' } },
      },
    }
    expect(novaSchema(schema).properties).toEqual({
      place: {
        type: 'object',
        properties: { name: { type: 'string' } },
        description: 'Where',
      },
      tree: { type: 'array', items: {} },
    })
  })

  it('does not grow without bound', () => {
    const $defs: Record<string, unknown> = { d40: { type: 'string' } }
    for (let number = 0; number < 40; number += 1) {
      const next = { $ref: `#/$defs/d${number + 1}` }
      $defs[`d${number}`] = { properties: { a: next, b: next } }
    }
    const schema = { properties: { x: { $ref: '#/$defs/d0' } }, $defs }
    expect(JSON.stringify(novaSchema(schema)).length).toBeLessThan(1_000_000)

    const chain = Array.from({ length: 50_000 }, (_, number) => [
      `c${number}`,
      { $ref: `#/$defs/c${number + 1}` },
    ])
    const properties = { x: { $ref: '#/$defs/c0' } }
    expect(novaSchema({ properties, $defs: Object.fromEntries(chain) }).properties).toEqual({
      x: {},
    })
  })
})
