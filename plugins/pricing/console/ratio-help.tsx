import { Dialog, formatExact, useTexts } from '#console'
import type { PricedModel, Rates } from './price.ts'
import { Example } from './price-details.tsx'

/** Explains how ratios make a price. */
export function RatioHelp({
  model,
  rates,
  onClose,
}: {
  /** The model of the example. */
  model: PricedModel | undefined
  rates: Rates
  onClose(): void
}) {
  const t = useTexts('pricing')
  const parts = ['group', 'model', 'tokens', 'unit'] as const
  const signs = ['×', '×', '÷', '=']
  return (
    <Dialog title={t('help.title')} onClose={onClose} className="price-help">
      <p>{t('help.text')}</p>
      <ol className="price-figure">
        {parts.map((part, at) => (
          <li key={part}>
            <div>
              <strong>{t(`help.${part}`, { units: formatExact(rates.quotaPerUnit) })}</strong>
              <span>{t(`help.${part}Text`)}</span>
            </div>
            <span aria-hidden>{signs[at]}</span>
          </li>
        ))}
        <li>
          <div className="price-figure-result">
            <strong>{t('help.result')}</strong>
            <span>{t('help.resultText')}</span>
          </div>
        </li>
      </ol>
      {model ? <Example model={model} rates={rates} /> : null}
    </Dialog>
  )
}
