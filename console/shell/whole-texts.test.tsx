import { afterEach, beforeEach, expect, it } from 'vitest'
import { showWholeTexts } from './whole-texts.ts'

let end: () => void
const lines: HTMLElement[] = []

/** A line of 100 px around a text of this width. */
function lineOf(textWidth: number, markup: string): HTMLElement {
  const line = document.createElement('div')
  line.style.textOverflow = 'ellipsis'
  line.innerHTML = markup
  document.body.append(line)
  lines.push(line)
  Object.defineProperty(line, 'clientWidth', { value: 100 })
  Object.defineProperty(line, 'scrollWidth', { value: textWidth })
  Object.defineProperty(line, 'innerText', { get: () => line.textContent })
  return line
}

const point = (element: Element | null, kind = 'pointerover') =>
  element?.dispatchEvent(new Event(kind, { bubbles: true }))

beforeEach(() => {
  end = showWholeTexts()
})
afterEach(() => {
  end()
  for (const line of lines.splice(0)) line.remove()
})

it('shows the whole of a cut text while one points at it', () => {
  const line = lineOf(300, 'Name of <b>a code</b>')
  point(line.querySelector('b'))
  expect(line.title).toBe('Name of a code')
  point(line.querySelector('b'), 'pointerout')
  expect(line.hasAttribute('title')).toBe(false)
})

it('says nothing twice: neither what has room nor what has words of its own', () => {
  const roomy = lineOf(100, '<b>Name</b>')
  point(roomy.querySelector('b'))
  expect(roomy.hasAttribute('title')).toBe(false)
  const worded = lineOf(300, '<b title="All of it">Name</b>')
  point(worded.querySelector('b'))
  expect(worded.hasAttribute('title')).toBe(false)
})
