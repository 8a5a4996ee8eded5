import { IconCheckCircleFill, IconMinusCircle } from '@arco-design/web-react/icon'
import {
  type Column,
  copyText,
  firstNames,
  formatExact,
  formatRatio,
  Hint,
  Label,
  ModelMark,
  type Texts,
} from '#console'
import { isPerCall, money, type PricedModel, pricesOf, type Rates } from './price.ts'

interface Tools {
  t: Texts
  group: string
  rates: Rates
  /** Whether models without a price are served as well. */
  isSelfUse: boolean
  /** Shows the prices of a group. */
  choose(group: string): void
}

const labelsShown = 2

export function pricingColumns(tools: Tools): Column<PricedModel>[] {
  const { t, rates } = tools
  return [
    {
      id: 'available',
      title: t('column.available'),
      card: 'status',
      width: 96,
      render: (model) => <Available model={model} tools={tools} />,
    },
    {
      id: 'model',
      title: t('column.model'),
      isTitle: true,
      render: ({ model_name: name }) => <ModelName name={name} t={t} />,
    },
    {
      id: 'billing',
      title: t('column.billing'),
      render: (model) => (
        <span className="price-cell labels">
          <Label>{t(isPerCall(model) ? 'billing.call' : 'billing.token')}</Label>
        </span>
      ),
    },
    {
      id: 'groups',
      title: t('column.groups'),
      render: (model) => <Groups names={model.enable_groups} tools={tools} />,
    },
    {
      id: 'ratios',
      title: t('column.ratios'),
      render: (model) => (
        <span className="price-pair number">
          {isPerCall(model) ? null : (
            <>
              <span>{t('ratio.model', { value: formatRatio(model.model_ratio) })}</span>
              <span>{t('ratio.completion', { value: formatRatio(model.completion_ratio) })}</span>
            </>
          )}
          <span>{t('ratio.group', { value: formatRatio(rates.groupRatio) })}</span>
        </span>
      ),
    },
    {
      id: 'price',
      card: 'fact',
      title: t('column.price'),
      render: (model) => <Price model={model} tools={tools} />,
    },
  ]
}

function isUnpriced({ is_priced: isPriced }: PricedModel, { isSelfUse }: Tools): boolean {
  return isPriced === false && !isSelfUse
}

function Available({ model, tools }: { model: PricedModel; tools: Tools }) {
  const { t, group } = tools
  const isAllowed = model.enable_groups.includes(group)
  const isOpen = isAllowed && !isUnpriced(model, tools)
  const reason = isAllowed ? 'available.unpriced' : 'available.no'
  const text = t(isOpen ? 'available.yes' : reason, { group })
  return (
    <Hint text={text}>
      <span tabIndex={0} className={isOpen ? 'price-open' : 'price-closed'}>
        {isOpen ? <IconCheckCircleFill aria-hidden /> : <IconMinusCircle aria-hidden />}
        <span className="visually-hidden">{text}</span>
      </span>
    </Hint>
  )
}

function ModelName({ name, t }: { name: string; t: Texts }) {
  return (
    <Hint text={t('copyModel', { name })}>
      <button
        type="button"
        className="price-model"
        onClick={() => void copyText(name, t('copied', { name }))}
      >
        <ModelMark model={name} size="small" />
        <code>{name}</code>
      </button>
    </Hint>
  )
}

function Groups({ names, tools: { t, group, choose } }: { names: string[]; tools: Tools }) {
  const rest = names.slice(labelsShown)
  return (
    <span className="price-cell labels">
      {names.slice(0, labelsShown).map((name) => (
        <button
          key={name}
          type="button"
          className="label price-group"
          aria-pressed={name === group}
          title={t('chooseGroup', { name })}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      ))}
      {rest.length > 0 ? (
        <Hint text={firstNames(rest, t)}>
          <span className="label" tabIndex={0}>{`+${rest.length}`}</span>
        </Hint>
      ) : null}
      {names.length === 0 ? <span className="muted">{t('noGroup')}</span> : null}
    </span>
  )
}

function Price({ model, tools }: { model: PricedModel; tools: Tools }) {
  const { t, rates } = tools
  const { call, input, output } = pricesOf(model, rates)
  if (isPerCall(model)) {
    return <span className="price-pair number">{t('price.call', { price: money(call) })}</span>
  }
  return (
    <span className="price-pair number">
      <span>{t('price.input', { price: money(input) })}</span>
      <span>{t('price.output', { price: money(output) })}</span>
      {isUnpriced(model, tools) ? <Label>{t('price.unset')}</Label> : null}
      <LongPrompts model={model} t={t} />
    </span>
  )
}

/** Says that long prompts cost more; the details drawer has the figures. */
function LongPrompts({ model: { price_steps: steps }, t }: { model: PricedModel; t: Texts }) {
  const first = steps?.[0]
  if (!first) return null
  return (
    <Hint text={t('price.more', { tokens: formatExact(first.above) })}>
      <span className="label" tabIndex={0}>
        {t('price.byLength')}
      </span>
    </Hint>
  )
}
