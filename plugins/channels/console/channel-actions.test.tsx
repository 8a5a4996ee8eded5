import { expect, it } from 'vitest'
import { channelStatus, type Texts } from '#console'
import type { Channel } from './channel.ts'
import { type ActionTools, rowActions } from './channel-actions.ts'
import { groupByTag } from './tag-rows.ts'

const { enabled, disabledByHand, disabledAutomatically } = channelStatus
const tools = { t: ((key: string) => key) as Texts } as ActionTools

it.each([
  { what: 'all are on', statuses: [enabled, enabled], offers: ['disableAll', 'editTag'] },
  {
    what: 'none is on',
    statuses: [disabledByHand, disabledAutomatically],
    offers: ['enableAll', 'editTag'],
  },
  {
    what: 'some are on',
    statuses: [enabled, disabledAutomatically],
    offers: ['enableAll', 'editTag', 'disableAll'],
  },
])('offers for a tag only what changes something: $what', ({ statuses, offers }) => {
  const channels = statuses.map(
    (status, id) => ({ id, tag: 'a', status, test_fault: '' }) as Channel,
  )
  const [row] = groupByTag(channels)
  const labels = row && rowActions(row, tools).map(({ label }) => label)
  expect(labels).toEqual(offers.map((name) => `action.${name}`))
})
