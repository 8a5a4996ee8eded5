import { Button } from '@arco-design/web-react'
import { useMemo, useState } from 'react'
import {
  copyText,
  MultiSelect,
  toast,
  useAction,
  useFormValue,
  useTexts,
  splitList,
} from '#console'
import { channelCalls } from '../channel-calls.ts'
import { useModelsByType } from '../channel-types.ts'
import { CustomModels } from './custom-models.tsx'
import { InnerDialog } from './inner-dialog.tsx'
import { ModelPicker } from './model-picker.tsx'
import { NoPrice } from '../no-price.tsx'
import { useUnpriced } from '../use-unpriced.ts'

/** A box of thousands of tags takes seconds to draw with each letter that is typed; the rest is a number, and stays in the list. */
const MOST_TAGS = 200

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
  const byType = useModelsByType()
  const [found, setFound] = useState<string[]>()
  const all = useMemo(() => [...new Set(Object.values(byType).flat())], [byType])
  const add = (models: readonly string[]) => onChange?.([...new Set([...value, ...models])])
  return (
    <div className="channel-models">
      <MultiSelect
        id={id}
        value={value}
        onChange={(models) => onChange?.([...new Set(models.flatMap((typed) => splitList(typed)))])}
        choices={all}
        placeholder={t('placeholder.models')}
        maxTags={MOST_TAGS}
        isOpen
      />
      <div className="channel-tools">
        <FillButtons all={all} channelId={channelId} onAdd={add} onFound={setFound} />
        <ChosenButtons chosen={value} onClear={() => onChange?.([])} />
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

/** Adds what the provider's type offers, what all offer, or what the upstream says when it is asked. */
function FillButtons({
  all,
  channelId,
  onAdd,
  onFound,
}: Pick<ModelFieldProps, 'channelId'> & {
  all: readonly string[]
  onAdd(models: readonly string[]): void
  onFound(models: string[] | undefined): void
}) {
  const t = useTexts('channels')
  const type = useFormValue<number>('type') ?? 0
  const related = useModelsByType()[String(type)] ?? []
  const fetchModels = useFetchModels(channelId)
  const [fetchAll, isFetching] = useAction(async () => onFound(await fetchModels()))
  return (
    <>
      {type > 0 ? (
        <Button size="mini" disabled={related.length === 0} onClick={() => onAdd(related)}>
          {t('models.fillRelated')}
        </Button>
      ) : null}
      <Button size="mini" onClick={() => onAdd(all)}>
        {t('models.fillAll')}
      </Button>
      {type > 0 ? (
        <Button size="mini" loading={isFetching} onClick={() => void fetchAll()}>
          {t('models.fetch')}
        </Button>
      ) : null}
    </>
  )
}

function ChosenButtons({ chosen, onClear }: { chosen: readonly string[]; onClear(): void }) {
  const t = useTexts('channels')
  const unpriced = useUnpriced(chosen)
  const count = chosen.length
  return (
    <>
      <Button
        size="mini"
        disabled={count === 0}
        onClick={() => void copyText(chosen.join(','), t('models.copied', { count }))}
      >
        {t('models.copy')}
      </Button>
      <Button size="mini" disabled={count === 0} onClick={onClear}>
        {t('models.clear')}
      </Button>
      <span className="muted">{t('models.count', { count })}</span>
      <NoPrice names={chosen.filter((name) => unpriced.has(name))} />
    </>
  )
}

/** Asks with the key that is typed, else with the stored one. */
function useFetchModels(channelId: number | undefined): () => Promise<string[] | undefined> {
  const t = useTexts('channels')
  const type = useFormValue<number>('type') ?? 0
  const key = useFormValue<string>('key')?.trim() ?? ''
  const address = useFormValue<string>('base_url')?.trim() ?? ''
  const setting = useFormValue<string>('setting') ?? ''
  return async () => {
    if (channelId !== undefined && key === '') return channelCalls.fetchModels(channelId)
    if (key === '') {
      toast.warning(t('models.needKey'))
      return undefined
    }
    return channelCalls.fetchModelsOf({ base_url: address, type, key, setting })
  }
}
