import { type Detail, Details, formatExact, formatRatio, useTexts } from '#console'
import {
  example,
  exampleCost,
  isPerCall,
  money,
  type PricedModel,
  picturePricesOf,
  pricesOf,
  type Rates,
  stepPricesOf,
} from './price.ts'

/** Shown only where the model has them. */
const others = [
  'cacheWrite1h',
  'cacheWrite12h',
  'audio',
  'audioOutput',
  'image',
  'imageOutput',
] as const

/** All prices of one model, and the calculation for an example call. */
export function PriceDetails({ model, rates }: { model: PricedModel; rates: Rates }) {
  const t = useTexts('pricing')
  const prices = pricesOf(model, rates)
  const perMillion = (dollars: number | undefined) =>
    dollars === undefined ? undefined : t('price.perMillion', { price: money(dollars) })
  const items: Detail[] = isPerCall(model)
    ? [
        { label: t('detail.call'), value: money(prices.call) },
        ...picturePricesOf(model, rates).map(({ name, price }) => ({
          label: t('detail.picture', { name }),
          value: money(price),
        })),
      ]
    : [
        { label: t('detail.input'), value: perMillion(prices.input) },
        { label: t('detail.output'), value: perMillion(prices.output) },
        { label: t('detail.cached'), value: perMillion(prices.cached) },
        { label: t('detail.cacheWrite'), value: perMillion(prices.cacheWrite) },
        ...others.flatMap((part) =>
          prices[part] === undefined
            ? []
            : [{ label: t(`detail.${part}`), value: perMillion(prices[part]) }],
        ),
        ...stepPricesOf(model, rates).map((step) => ({
          label: t('detail.above', { tokens: formatExact(step.above) }),
          value: t(step.cached === undefined ? 'price.step' : 'price.stepCached', {
            input: money(step.input),
            output: money(step.output),
            cached: money(step.cached ?? 0),
          }),
          isWide: true,
        })),
        {
          label: t('detail.example'),
          value: <Example model={model} rates={rates} />,
          isWide: true,
        },
      ]
  return <Details items={items} />
}

export function Example({ model, rates }: { model: PricedModel; rates: Rates }) {
  const t = useTexts('pricing')
  return (
    <span className="price-example">
      <span>
        {t('example.call', {
          model: model.model_name,
          prompt: formatExact(example.prompt),
          completion: formatExact(example.completion),
        })}
      </span>
      <code>
        {`${formatRatio(rates.groupRatio)} × ${formatRatio(model.model_ratio)} × (${formatExact(example.prompt)} + ` +
          `${formatExact(example.completion)} × ${formatRatio(model.completion_ratio)}) ÷ ` +
          `${formatExact(rates.quotaPerUnit)} = ${money(exampleCost(model, rates))}`}
      </code>
    </span>
  )
}
