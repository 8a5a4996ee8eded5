import { expect, it } from 'vitest'
import { completionWindowMs } from './completion-window.ts'

it.each([
  [{}, 1],
  [{ background_options: null }, 1],
  [{ background_options: { completion_window: 'soonest' } }, 1],
  [{ background_options: { completion_window: '2h' } }, 3],
  [{ background_options: { completion_window: '8h' } }, 9],
  [{ background_options: { completion_window: '99h' } }, 25],
  [{ background_options: { completion_window: 8 } }, 1],
])('a response of %j is followed for %i hours', (body, hours) => {
  expect(completionWindowMs({ body })).toBe(hours * 3_600_000)
})
