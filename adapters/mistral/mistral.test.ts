import { expect, it } from 'vitest'
import { testAdapter } from '#test'
import mistral from './index.ts'
import { effortOf, takesEffort } from './models.ts'

testAdapter(mistral, new URL('./cases/', import.meta.url))

it.each([
  ['mistral-medium-latest', true],
  ['mistral-medium-3', true],
  ['mistral-medium-3-5', true],
  ['mistral-medium-2604', true],
  ['mistral-small-2603', true],
  ['mistral-medium-2508', false],
  ['mistral-small-2506', false],
  ['mistral-large-4', true],
  ['mistral-large-4-0', true],
  ['mistral-medium', true],
  ['magistral-medium-latest', true],
  ['magistral-medium-2509', false],
  ['mistral-large-latest', false],
])('knows whether %s takes an effort', (model, takes) => {
  expect(takesEffort(model)).toBe(takes)
})

it.each([
  ['none', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['xhigh', 'high'],
])('asks Large 4 for effort %s by %s', (effort, sent) => {
  expect(effortOf(effort, 'mistral-large-4')).toBe(sent)
})

it('prices the alias of Large 3 as Large 3', () => {
  const { models } = mistral.prices ?? {}
  expect(models?.['mistral-large-latest']).toEqual(models?.['mistral-large-2512'])
})
