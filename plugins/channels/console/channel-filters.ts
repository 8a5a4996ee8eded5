import { channelStatus, type FilterField, useGroupNames, usePreferences, useTexts } from '#console'
import { stateOf } from './channel.ts'
import { nameOfType, useLoadedTypes, useTags } from './channel-types.ts'

/** The filters of the list of channels. */
export function useChannelFields(): FilterField[] {
  const t = useTexts('channels')
  const groups = useGroupNames()
  const types = useLoadedTypes()
  const tags = useTags()
  const language = usePreferences((preferences) => preferences.language)
  return [
    { kind: 'search', name: 'keyword', label: t('filter.keyword') },
    {
      kind: 'select',
      name: 'status',
      label: t('filter.status'),
      choices: Object.values(channelStatus).map((status) => ({
        value: String(status),
        label: t(`status.${stateOf(status).key}`),
      })),
    },
    {
      kind: 'select',
      name: 'type',
      label: t('filter.type'),
      choices: (types.data ?? []).map((type) => ({
        value: String(type.type),
        label: nameOfType(type, language),
      })),
      source: types,
    },
    {
      kind: 'select',
      name: 'group',
      label: t('filter.group'),
      choices: groups.data ?? [],
      source: groups,
    },
    { kind: 'text', name: 'model', label: t('filter.model'), isMore: true },
    {
      kind: 'select',
      name: 'tag',
      label: t('filter.tag'),
      choices: tags.data ?? [],
      source: tags,
      isMore: true,
    },
  ]
}
