import { describe, expect, it } from 'vitest'
import type { FieldSchema } from '#console'
import { arrangeSettings, placeOf } from './arrange-settings.ts'

const text = (tab?: string, section?: string, more: object = {}): FieldSchema => ({
  type: 'string',
  'x-ui': { ...(tab ? { tab } : {}), ...(section ? { section } : {}), ...more },
})
const group = (owner: string, properties: Record<string, FieldSchema>) => ({
  owner,
  schema: { type: 'object' as const, properties },
})
const part = (section: string, more: object = {}) => ({
  id: 'part',
  owner: 'logs',
  tab: 'operation',
  section,
  load: () => Promise.reject(new Error('not drawn here')),
  ...more,
})
const shape = (tabs: ReturnType<typeof arrangeSettings>) =>
  Object.fromEntries(
    tabs.map(({ id, sections }) => [
      id,
      Object.fromEntries(sections.map(({ id: name, owners }) => [name, [...owners.keys()]])),
    ]),
  )

describe('arranging options as a settings page', () => {
  it('puts tabs and sections in their order, and unknown ones after them', () => {
    const tabs = arrangeSettings(
      [
        group('shop', { Shop: text('shop', 'window') }),
        group('core', {
          Name: text('other', 'branding'),
          Words: text('operation', 'words'),
          Units: text('operation', 'general'),
          Odd: text('operation', 'odd'),
        }),
      ],
      [],
    )
    expect(tabs.map(({ id }) => id)).toEqual(['operation', 'other', 'shop'])
    expect(tabs[0]?.sections.map(({ id }) => id)).toEqual(['general', 'words', 'odd'])
  })

  it('mixes the fields of several owners by their order', () => {
    const tabs = arrangeSettings(
      [
        group('core', { Second: text('system', 'sign-in', { order: 20 }) }),
        group('auth', {
          First: text('system', 'sign-in', { order: 10 }),
          Unplaced: text('system', 'sign-in'),
        }),
      ],
      [],
    )
    expect(shape(tabs)).toEqual({ system: { 'sign-in': ['First', 'Second', 'Unplaced'] } })
    expect(tabs[0]?.sections[0]?.owners.get('First')).toBe('auth')
  })

  it('gives what names no place a card of its plugin, and hides what is hidden', () => {
    const options = { Greeting: text(), Old: text(undefined, undefined, { hidden: true }) }
    expect(shape(arrangeSettings([group('greeting', options)], []))).toEqual({
      plugins: { greeting: ['Greeting'] },
    })
  })

  it('draws no field for what a part edits, and makes a card for a part alone', () => {
    const tabs = arrangeSettings(
      [group('core', { ModelPrice: text('operation', 'prices') })],
      [part('prices', { options: ['ModelPrice'] }), part('logs')],
    )
    expect(shape(tabs)).toEqual({ operation: { logs: [], prices: [] } })
    expect(tabs[0]?.sections.map(({ parts }) => parts.length)).toEqual([1, 1])
  })

  it('finds the first section of a plugin', () => {
    const tabs = arrangeSettings([group('chats', { Chats: text('operation', 'chats') })], [])
    expect(placeOf(tabs, 'chats')).toEqual({ tab: 'operation', section: 'chats' })
    expect(placeOf(tabs, 'nobody')).toBeUndefined()
  })
})
