import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { AnswerText } from './answer-text.tsx'
import { withFormulas } from './formulas.ts'

describe('finding the formulas of an answer', () => {
  it.each([
    ['so $E = mc^2$, or', 'so $$E = mc^2$$, or'],
    ['so \\(a^2\\) and \\( b \\).', 'so $$a^2$$ and $$b$$.'],
    ['- \\[ x \\] in a list', '- $$x$$ in a list'],
    ['\\[ x + y \\]', '$$\nx + y\n$$'],
    ['> $$x$$', '> $$\n> x\n> $$'],
    ['   \\[\n   x\n   + y\n   \\]', '   $$\n   x\n   + y\n   $$'],
  ])('knows %j', (text, written) => {
    expect(withFormulas(text)).toBe(written)
  })

  it.each([
    'from $5 to $10, or $1 and $2',
    'US$3 and a $ alone',
    'an escaped \\$x\\$',
    'code: `$x$` and ``\\(a`b\\)``',
    '```sh\necho $HOME $PATH\n\\[ x \\]\n```',
    '$$\nnot ended yet',
    '\\[ x\n\nnot ended yet',
    '$$x$$ with words behind it',
  ])('leaves %j as it is', (text) => {
    expect(withFormulas(text)).toBe(text)
  })
})

describe('an answer with formulas', () => {
  const formulas = () =>
    [...document.querySelectorAll('annotation')].map((source) => source.textContent)

  it('shows them typeset, and the rest as it was', async () => {
    render(<AnswerText text={'Mass $E = mc^2$ for $5.\n\n\\[ \\frac{1}{2} \\]\n\n`$x$`'} />)
    expect((await screen.findByText('$x$')).tagName).toBe('CODE')
    await expect.poll(formulas).toEqual(['E = mc^2', '\\frac{1}{2}'])
    expect(document.querySelector('p')?.textContent).toMatch(/^Mass .* for \$5\.$/)
    expect(document.querySelector('.formula-display math')?.getAttribute('display')).toBe('block')
  })

  it('shows the source of what is none, and lets no address or page in', async () => {
    render(<AnswerText text={'$\\frac{$ and $\\href{javascript:alert(1)}{x}$'} />)
    await expect.poll(() => document.querySelector('.katex-error')?.textContent).toBe('\\frac{')
    expect(document.querySelector('a')).toBeNull()
  })
})
