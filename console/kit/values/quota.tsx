import { Button } from '@arco-design/web-react'
import {
  defaultQuotaPerUnit,
  formatDollars,
  formatExact,
  formatQuota,
  type QuotaStyle,
  unitsOf,
} from '../../format/quota.ts'
import { useStatus } from '../../stores/status.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { NumberInput } from '../forms/number-input.tsx'
import { Hint } from '../hint.tsx'

export function useQuotaStyle(): QuotaStyle {
  const status = useStatus()
  return {
    quotaPerUnit: status?.quota_per_unit || defaultQuotaPerUnit,
    inCurrency: status?.display_in_currency ?? true,
  }
}

/** An amount of quota in the unit that the operator shows, with the exact number and the other unit in the tooltip.
 *  `isAligned` is for columns, in which the decimal points are aligned. */
export function Quota({ units, isAligned }: { units: number; isAligned?: boolean }) {
  const t = useTexts()
  const style = useQuotaStyle()
  const exact = t('quota.exact', {
    units: formatExact(units),
    dollars: formatDollars(units, style.quotaPerUnit),
  })
  const text = formatQuota(units, style)
  const rest = isAligned && style.inCurrency ? missingDecimals(text) : undefined
  return (
    <Hint text={exact}>
      <span className="number" data-rest={rest}>
        {text}
      </span>
    </Hint>
  )
}

/** The decimals that an amount lacks in a column: drawn invisibly by CSS, so that they are neither copied nor read out. */
function missingDecimals(text: string): string {
  const decimals = text.split('.')[1]
  return decimals === undefined ? '.000000' : '0'.repeat(Math.max(0, 6 - decimals.length))
}

export interface QuotaInputProps {
  id?: string
  /** In whole units. */
  value?: number
  onChange?: (units: number | undefined) => void
  disabled?: boolean
  /** Amounts in dollars that can be chosen with one click. */
  presets?: readonly number[]
}

/** Input for an amount in the unit that the operator shows. The value is in whole units, which are shown below. */
export function QuotaInput({ id, value, onChange, disabled, presets = [] }: QuotaInputProps) {
  const t = useTexts()
  const style = useQuotaStyle()
  const scale = style.inCurrency ? style.quotaPerUnit : 1
  const other =
    value === undefined || Number.isNaN(value)
      ? ''
      : style.inCurrency
        ? t('quota.units', { units: formatExact(value) })
        : formatDollars(value, style.quotaPerUnit)
  return (
    <div className="quota-input">
      <NumberInput
        id={id}
        value={value === undefined ? undefined : value / scale}
        onChange={(entered) =>
          onChange?.(entered === undefined ? undefined : Math.round(entered * scale))
        }
        disabled={disabled}
        prefix={style.inCurrency ? '$' : undefined}
        precision={style.inCurrency ? 6 : 0}
        ceiling={Math.floor(Number.MAX_SAFE_INTEGER / scale)}
      />
      <span className="muted number">{other}</span>
      {presets.length > 0 ? (
        <div className="quota-presets" role="group" aria-label={t('quota.presets')}>
          {presets.map((dollars) => (
            <Button
              key={dollars}
              size="mini"
              disabled={disabled}
              onClick={() => onChange?.(unitsOf(dollars, style.quotaPerUnit))}
            >
              {formatQuota(unitsOf(dollars, style.quotaPerUnit), style)}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
