import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { pluginTexts } from '../../../console/texts/i18n.ts'
import type { Channel } from './channel.ts'
import { Pace } from './channel-state.tsx'
import { groupByTag } from './tag-rows.ts'

await pluginTexts('channels')

const passed = { id: 1, tag: 'a', response_time: 400, test_fault: '' } as Channel
const failed = { ...passed, id: 2, response_time: 90, test_fault: 'HTTP 401' }

it('shows no time for a test that failed, however quickly', () => {
  render(<Pace row={failed} />)
  expect(screen.getByText('Failed').className).toContain('channel-pace-failed')
  expect(screen.queryByText('90 ms')).toBeNull()
})

it('shows the time of a tag by those that passed, and its failure where none did', () => {
  const [both] = groupByTag([passed, failed])
  expect(both).toMatchObject({ response_time: 400, test_fault: '' })
  const [none] = groupByTag([failed])
  expect(none).toMatchObject({ test_fault: 'HTTP 401' })
})
