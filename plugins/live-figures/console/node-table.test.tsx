import { render, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { LiveFigures } from '../schema.ts'
import { NodeTable } from './node-table.tsx'

const nowSeconds = 1_750_000_000

function node(host: string, silence: number): LiveFigures['nodes'][number] {
  return {
    id: host,
    host,
    version: '1.2.3',
    started_at: nowSeconds - 3_600,
    told_at: nowSeconds - silence,
    calls: 3,
    failed: 0,
    tokens: 10,
    units: 10,
    duration_p50_ms: null,
    duration_p95_ms: null,
    first_byte_p50_ms: null,
    first_byte_p95_ms: null,
    in_flight: 0,
    realtime_sessions: 0,
    ledger_waiting: 0,
    ledger_commit_ms: 1,
    is_database_away: false,
    event_loop_p99_ms: 10,
    rss_bytes: 2 ** 27,
    generation: 1,
  }
}

it('names a process that has been silent for longer than one message may take', async () => {
  render(<NodeTable nodes={[node('asked', 0), node('well', 6), node('killed', 12)]} />)
  const killed = await screen.findByRole('row', { name: /killed/ })
  expect(within(killed).getByText('silent for 12 s')).toBeTruthy()
  expect(screen.getAllByText(/silent for/)).toHaveLength(1)
})
