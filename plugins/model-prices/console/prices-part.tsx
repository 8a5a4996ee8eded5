import { Button } from '@arco-design/web-react'
import { useSearchParams } from 'react-router-dom'
import {
  api,
  confirm,
  type FieldSchema,
  Loading,
  OptionForm,
  type SettingsPartProps,
  Tabs,
  toast,
  useAction,
  useData,
  useOptions,
  useTexts,
} from '#console'
import { PriceList } from './price-list.tsx'
import { priceKeys } from './price-maps.ts'
import { UnsetList } from './unset-list.tsx'
import './prices.css'

const tabs = ['model', 'visual', 'unset_models'] as const
type PriceTab = (typeof tabs)[number]

/** The tab is in the address, so that a message about a missing price can link to it. */
const parameter = 'prices'

/** The prices of models: the maps as JSON, or one row for each model. */
export default function PricesPart({ onChanged }: SettingsPartProps) {
  const t = useTexts('model-prices')
  const [search, navigateTo] = useSearchParams()
  const active = tabs.find((tab) => tab === search.get(parameter)) ?? tabs[0]
  // Elements instead of functions, because only the open one is rendered.
  const content: Record<PriceTab, React.ReactNode> = {
    model: <PriceMaps onChanged={onChanged} />,
    visual: <PriceList />,
    unset_models: <UnsetList />,
  }
  const open = (tab: string) =>
    navigateTo(
      (current) => {
        const next = new URLSearchParams(current)
        if (tab === tabs[0]) next.delete(parameter)
        else next.set(parameter, tab)
        return next
      },
      // The tabs stand in the middle of a long page.
      { preventScrollReset: true },
    )
  return (
    <Tabs
      label={t('title')}
      active={active}
      onChange={open}
      items={tabs.map((tab) => ({
        id: tab,
        title: t(`tab.${tab}`),
        content: tab === active ? content[tab] : null,
      }))}
    />
  )
}

interface OptionGroup {
  owner: string
  schema: FieldSchema
}

function PriceMaps({ onChanged }: SettingsPartProps) {
  const t = useTexts('model-prices')
  const options = useOptions()
  const groups = useData<OptionGroup[]>('/api/option/schema')
  const [reset, isResetting] = useAction(async () => {
    const question = { title: t('reset.title'), content: t('reset.text') }
    if (!(await confirm(() => ({ ...question, confirmLabel: t('reset.do'), isDanger: true }))))
      return
    await api.post('/api/option/rest_model_ratio')
    await options.refresh(['ModelRatio'])
    toast.success(t('reset.done'))
  })
  if (!groups.data) return <Loading />
  return (
    <div className="price-maps">
      <OptionForm schema={schemaOf(groups.data)} namespace="model-prices" onChanged={onChanged} />
      <div>
        <Button status="danger" loading={isResetting} onClick={() => void reset()}>
          {t('reset.button')}
        </Button>
      </div>
    </div>
  )
}

function schemaOf(groups: readonly OptionGroup[]): FieldSchema {
  const all: Record<string, FieldSchema> = Object.assign(
    {},
    ...groups.map(({ schema }) => schema.properties),
  )
  const entries = priceKeys.flatMap((key) => (all[key] ? [[key, all[key]] as const] : []))
  return { type: 'object', properties: Object.fromEntries(entries) }
}
