import { type FilterField, type Texts, useGroupNames, useOwnGroups } from '#console'
import { logTypes } from './log-row.ts'

/** Filters under the names that the API uses; `username` and `channel` are for admins. */
export const noFilters = {
  model_name: '',
  type: '',
  token_name: '',
  start_timestamp: '',
  end_timestamp: '',
  group: '',
  request_id: '',
  username: '',
  channel: '',
}

export type LogFilters = typeof noFilters

export function useLogFields(t: Texts, isAdmin: boolean): FilterField[] {
  const all = useGroupNames({ isEnabled: isAdmin })
  const own = useOwnGroups({ isEnabled: !isAdmin })
  const names = all.data ?? Object.keys(own.data ?? {})
  const source = isAdmin ? all : own
  return [
    { kind: 'search', name: 'model_name', label: t('filter.model') },
    {
      kind: 'select',
      name: 'type',
      label: t('filter.type'),
      choices: logTypes.map((type) => ({ value: String(type), label: t(`type.${type}`) })),
    },
    { kind: 'period', names: ['start_timestamp', 'end_timestamp'], label: t('filter.period') },
    { kind: 'text', name: 'token_name', label: t('filter.token'), isMore: true },
    {
      kind: 'select',
      name: 'group',
      label: t('filter.group'),
      choices: names,
      source,
      isMore: true,
    },
    { kind: 'text', name: 'request_id', label: t('detail.request'), isMore: true },
    ...(isAdmin
      ? ([
          { kind: 'text', name: 'username', label: t('filter.username'), isMore: true },
          { kind: 'id', name: 'channel', label: t('filter.channel'), isMore: true },
        ] as const)
      : []),
  ]
}
