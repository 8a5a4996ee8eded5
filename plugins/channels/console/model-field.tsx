import { Button } from '@arco-design/web-react'
import { useMemo, useState } from 'react'
import { copyText, MultiSelect, toast, useAction, useFormValue, useTexts } from '#console'
import { splitList } from './channel.ts'
import { channelCalls } from './channel-calls.ts'
import { useModelsByType } from './channel-types.ts'
import { CustomModels } from './custom-models.tsx'
import { InnerDialog } from './inner-dialog.tsx'
import { ModelPicker } from './model-picker.tsx'
import { NoPrice } from './no-price.tsx'
import { useUnpriced } from './use-unpriced.ts'

interface ModelFieldProps {
  id?: string
  value?: string[]
  onChange?: (models: string[]) => void
  /** Undefined while the channel is not saved yet. */
  channelId?: number
}

/** The models of a channel: chosen, filled in by type, asked of the upstream, or typed. */
export function ModelField({ id, value = [], onChange, channelId }: ModelFieldProps) {
  const t = useTexts('channels')
  const type = useFormValue<number>('type') ?? 0
  const byType = useModelsByType()
  const unpriced = useUnpriced(value)
  const [found, setFound] = useState<string[]>()
  const fetchModels = useFetchModels(channelId)
  const [fetchAll, isFetching] = useAction(async () => setFound(await fetchModels()))
  const all = useMemo(() => [...new Set(Object.values(byType).flat())], [byType])
  const related = byType[String(type)] ?? []
  const add = (models: readonly string[]) => onChange?.([...new Set([...value, ...models])])
  return (
    <div className="channel-models">
      <MultiSelect
        id={id}
        value={value}
        onChange={(models) => onChange?.([...new Set(models.flatMap(splitList))])}
        choices={all}
        placeholder={t('placeholder.models')}
        isOpen
      />
      <div className="channel-tools">
        {type > 0 ? (
          <Button size="mini" disabled={related.length === 0} onClick={() => add(related)}>
            {t('models.fillRelated')}
          </Button>
        ) : null}
        <Button size="mini" onClick={() => add(all)}>
          {t('models.fillAll')}
        </Button>
        {type > 0 ? (
          <Button size="mini" loading={isFetching} onClick={() => void fetchAll()}>
            {t('models.fetch')}
          </Button>
        ) : null}
        <Button
          size="mini"
          disabled={value.length === 0}
          onClick={() =>
            void copyText(value.join(','), t('models.copied', { count: value.length }))
          }
        >
          {t('models.copy')}
        </Button>
        <Button size="mini" disabled={value.length === 0} onClick={() => onChange?.([])}>
          {t('models.clear')}
        </Button>
        <span className="muted">{t('models.count', { count: value.length })}</span>
        <NoPrice names={value.filter((name) => unpriced.has(name))} />
      </div>
      <CustomModels chosen={value} onAdd={add} />
      {found ? (
        <InnerDialog>
          <ModelPicker
            found={found}
            chosen={value}
            onClose={() => setFound(undefined)}
            onPick={(models) => {
              onChange?.(models)
              setFound(undefined)
            }}
          />
        </InnerDialog>
      ) : null}
    </div>
  )
}

/** Asks with the key that is typed, else with the stored one. */
function useFetchModels(channelId: number | undefined): () => Promise<string[] | undefined> {
  const t = useTexts('channels')
  const type = useFormValue<number>('type') ?? 0
  const key = useFormValue<string>('key')?.trim() ?? ''
  const address = useFormValue<string>('base_url')?.trim() ?? ''
  return async () => {
    if (channelId !== undefined && key === '') return channelCalls.fetchModels(channelId)
    if (key === '') {
      toast.warning(t('models.needKey'))
      return undefined
    }
    return channelCalls.fetchModelsOf({ base_url: address, type, key })
  }
}
