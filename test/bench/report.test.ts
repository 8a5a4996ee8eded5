import { expect, it } from 'vitest'
import { withKept, withSection } from './report.ts'

const page = '# Results\n\nfigures\n\n## Open streams and memory\n\nmemory\n'
const swaps = '## Plugin switches\n\nswaps\n'

it('puts a section behind the others', () => {
  expect(withSection(page, swaps)).toBe(`${page}\n${swaps}`)
})

it('replaces a section in its place and keeps what stands around it', () => {
  const whole = withSection(page, swaps)
  const memory = '## Open streams and memory\n\nnewer\n'
  expect(withSection(whole, memory)).toBe(`# Results\n\nfigures\n\n${memory}\n${swaps}`)
  expect(withSection(whole, '## Plugin switches\n\nnewer\n')).toBe(
    `${page}\n## Plugin switches\n\nnewer\n`,
  )
})

it('keeps the sections of other benchmarks in a page written anew', () => {
  const minutes = '## Beside the jobs of the minute\n\nminutes\n'
  const whole = withSection(withSection(page, swaps), minutes)
  const anew = '# Results\n\nother figures\n'
  const kept = '## Open streams and memory\n\nmemory\n'
  expect(withKept(anew, whole)).toBe(`${anew}\n${kept}\n${swaps}\n${minutes}`)
  expect(withKept(anew, '# Results\n')).toBe(anew)
})
