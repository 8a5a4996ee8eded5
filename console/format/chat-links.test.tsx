import { describe, expect, it } from 'vitest'
import { chatLinksOf, chatTargetOf } from './chat-links.ts'

describe('a chat link', () => {
  it.each([
    ['https://c.example/?k={key}&u={address}', 'frame'],
    ['http://c.example/?k={key}', 'page'],
    ['some-app://x?k={key}', 'app'],
  ])('%s is a %s', (template, kind) => {
    const target = chatTargetOf(template, 'https://gate.example', 'abc')
    expect(target).toMatchObject({ kind })
    expect(target?.address).toContain('k=sk-abc')
  })

  it('fills the address in so that it stays one value', () => {
    const { address } =
      chatTargetOf('https://c.example/?u={address}', 'https://g.example/a?b', 'k') ?? {}
    expect(address).toBe('https://c.example/?u=https%3A%2F%2Fg.example%2Fa%3Fb')
  })

  it.each([
    ['javascript:alert("{key}")'],
    ['data:text/html,{key}'],
    [' JavaScript:x'],
    ['java\tscript:alert("{key}")'],
    ['blob:https://c.example/{key}'],
    ['nothing'],
  ])('leads nowhere with %s', (template) => {
    expect(chatTargetOf(template, 'https://gate.example', 'abc')).toBeUndefined()
  })

  it('is read from what the status says, and nothing else', () => {
    expect(chatLinksOf([{ A: 'https://a.example' }, 'x', null, { B: 3 }])).toEqual([
      { name: 'A', template: 'https://a.example' },
    ])
    expect(chatLinksOf('text')).toEqual([])
  })
})
