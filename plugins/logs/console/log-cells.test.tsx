import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { LogStatus } from './log-cells.tsx'
import type { LogRow } from './log-row.ts'

it.each([
  ['completed', 'OK', 'success'],
  ['cached', 'From cache', 'success'],
  ['upstream_cut', 'Cut short', 'warning'],
  ['no_output', 'No output', 'danger'],
])('tells of a call that ended as %s: %s', (end, words, tone) => {
  const row = { type: 2, token_name: 'first', other: JSON.stringify({ end }) } as LogRow
  render(<LogStatus row={row} isAdmin={false} />)
  expect(screen.getByText(words).closest('.status-tag')?.className).toContain(`tone-${tone}`)
})
