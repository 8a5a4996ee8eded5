import { Alert, Button } from '@arco-design/web-react'
import { IconQuestionCircle } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import {
  type BulkAction,
  copyText,
  DataTable,
  FilterBar,
  type FilterField,
  formatExact,
  formatRatio,
  IconButton,
  Loading,
  Page,
  Select,
  type Texts,
  useIsAdmin,
  useSession,
  useStatus,
  useTexts,
} from '#console'
import { isPerCall, type PricedModel } from './price.ts'
import { PriceDetails } from './price-details.tsx'
import { pricingColumns } from './pricing-columns.tsx'
import { type Pricing, usePricing } from './pricing-list.ts'
import { RatioHelp } from './ratio-help.tsx'
import { ToolPrices } from './tool-prices.tsx'
import './pricing.css'

export default function PricingScreen() {
  const t = useTexts('pricing')
  const isAdmin = useIsAdmin()
  const isSelfUse = useStatus()?.self_use_mode_enabled ?? false
  const pricing = usePricing()
  const { list, group, rates } = pricing
  const [open, setOpen] = useState<'help' | 'tools'>()
  const close = () => setOpen(undefined)
  const choose = (name: string) => list.setFilters({ group: name === pricing.ownGroup ? '' : name })
  const details = (model: PricedModel) => <PriceDetails model={model} rates={rates} />
  // The lines above the table appear together with it; otherwise the table would jump down under the pointer.
  if (list.isLoading) {
    return (
      <Page title={t('title')} hint={t('hint')}>
        <Loading />
      </Page>
    )
  }
  const sample = list.rows.find((row) => !isPerCall(row) && row.model_ratio > 0)
  return (
    <Page title={t('title')} hint={t('hint')}>
      <div className="price-head">
        <Banner pricing={pricing} />
        <p className="price-formula">
          <span>{t('formula', { units: formatExact(rates.quotaPerUnit) })}</span>
          <IconButton
            icon={<IconQuestionCircle />}
            label={t('help.title')}
            onClick={() => setOpen('help')}
          />
          <Button type="text" onClick={() => setOpen('tools')}>
            {t('tools.title')}
          </Button>
        </p>
        <GroupChoice pricing={pricing} onChoose={choose} />
      </div>
      <DataTable
        id="pricing"
        label={t('label')}
        list={list}
        columns={pricingColumns({ t, group, rates, isSelfUse, choose })}
        nameOf={({ model_name }) => model_name}
        keyOf={({ model_name }) => model_name}
        bulkActions={bulkActions(t)}
        details={details}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: isAdmin ? (
            <Link className="button-link" to="/channel/add">
              {t('addChannel')}
            </Link>
          ) : undefined,
        }}
        toolbar={<FilterBar list={list} fields={fieldsOf(t)} />}
      />
      {open === 'help' ? <RatioHelp model={sample} rates={rates} onClose={close} /> : null}
      {open === 'tools' ? <ToolPrices rates={rates} onClose={close} /> : null}
    </Page>
  )
}

function fieldsOf(t: Texts): FilterField[] {
  return [
    { kind: 'search', name: 'keyword', label: t('filter.model') },
    {
      kind: 'select',
      name: 'billing',
      label: t('filter.billing'),
      choices: [
        { value: 'token', label: t('billing.token') },
        { value: 'call', label: t('billing.call') },
      ],
    },
  ]
}

/** Whose prices these are. */
function Banner({ pricing: { groups, ownGroup } }: { pricing: Pricing }) {
  const t = useTexts('pricing')
  const user = useSession((session) => session.user)
  const own = groups.find(({ name }) => name === ownGroup)
  if (!own) return null
  const values = { group: ownGroup, ratio: formatRatio(own.ratio) }
  return user ? (
    <Alert type="success" content={t('banner.own', values)} />
  ) : (
    <Alert type="warning" content={t('banner.visitor', values)} />
  )
}

/** More groups would push the prices off the screen. */
const mostButtons = 12

/** The groups with their ratios; the pressed one is the group whose prices are shown. */
function GroupChoice({
  pricing: { groups, group },
  onChoose,
}: {
  pricing: Pricing
  onChoose(name: string): void
}) {
  const t = useTexts('pricing')
  if (groups.length < 2) return null
  if (groups.length > mostButtons)
    return (
      <Select<string>
        label={t('groups')}
        prefix={t('groups')}
        className="price-group-list"
        isSearchable
        value={group}
        onChange={onChoose}
        choices={groups.map(({ name, ratio }) => ({
          value: name,
          label: `${name} × ${formatRatio(ratio)}`,
        }))}
      />
    )
  return (
    <div className="price-groups" role="group" aria-label={t('groups')}>
      {groups.map(({ name, ratio, desc }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === group}
          title={desc}
          onClick={() => onChoose(name)}
        >
          <span>{name}</span>
          <span className="number">{`× ${formatRatio(ratio)}`}</span>
        </button>
      ))}
    </div>
  )
}

function bulkActions(t: Texts): BulkAction<PricedModel>[] {
  return [
    {
      label: t('copySelected'),
      run: async (models) => {
        const names = models.map(({ model_name }) => model_name)
        await copyText(names.join(','), t('copiedMany', { count: names.length }))
        return false
      },
    },
  ]
}
