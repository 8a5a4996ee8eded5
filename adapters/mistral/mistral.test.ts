import { expect, it } from 'vitest'
import { testAdapter } from '#test'
import mistral from './index.ts'
import { takesEffort } from './models.ts'

testAdapter(mistral, new URL('./cases/', import.meta.url))

it.each([
  ['mistral-medium-latest', true],
  ['mistral-medium-3', true],
  ['mistral-medium-3-5', true],
  ['mistral-medium-2604', true],
  ['mistral-small-2603', true],
  ['mistral-medium-2508', false],
  ['mistral-small-2506', false],
  ['mistral-large-latest', false],
])('knows whether %s takes an effort', (model, takes) => {
  expect(takesEffort(model)).toBe(takes)
})
