import { describe, expect, it } from 'vitest'
import { harmlessStyle } from './harmless-style.ts'

function left(style: string): string {
  const element = document.createElement('div')
  element.setAttribute('style', style)
  return harmlessStyle(element.style)
}

describe('the style of what an administrator wrote', () => {
  it.each([
    'position: fixed; inset: 0; z-index: 9999',
    'position: absolute; top: 0; left: 0',
    'transform: translate(0, -100vh)',
    'margin-top: -100vh',
    'translate: 0 -50vh',
    'background-image: url(https://elsewhere.example/x)',
    'list-style-image: url(https://elsewhere.example/x)',
    'text-indent: -100vw',
    'width: calc(100vw * 9)',
  ])('cannot be "%s"', (style) => expect(left(style)).toBe(''))

  it('may be what a text looks like', () => {
    const kept = left('color: rgb(1, 2, 3); position: fixed; text-align: center; padding-left: 4px')
    expect(kept).toBe('color: rgb(1, 2, 3); text-align: center; padding-left: 4px')
  })
})
