import { Radio } from '@arco-design/web-react'
import {
  Field,
  fieldRule,
  NumberInput,
  useFormSetter,
  useFormValue,
  useQuotaStyle,
  useTexts,
} from '#console'
import { dollarsOf, type PriceRow, ratioOf, rounded } from './price-maps.ts'
import { stepsOf, type StepDraft } from './step-drafts.ts'

/** The values of the form: a fixed price, or ratios, or the same in dollars. */
export interface PriceValues {
  price?: number
  entry: 'ratio' | 'dollars'
  ratio?: number
  completionRatio?: number
  /** In dollars per million tokens. */
  input?: number
  output?: number
  steps?: readonly StepDraft[]
}

export function numbersOf(row: PriceRow, quotaPerUnit: number): PriceValues {
  const { price, ratio, completionRatio, steps = [] } = row
  return { entry: 'ratio', price, ratio, completionRatio, steps, ...inDollars(row, quotaPerUnit) }
}

/** @param before the previous row, undefined for a new one */
export function rowOf(
  values: PriceValues & { name: string },
  before: PriceRow | undefined,
  quotaPerUnit: number,
): PriceRow {
  const { price } = values
  const name = values.name.trim()
  if (price !== undefined) return { name, price }
  const steps = stepsOf(values.steps)
  return {
    name,
    // Removed steps are stored as none. If none were entered, the shipped ones stay in use.
    ...(steps.length > 0 || before?.steps !== undefined ? { steps } : {}),
    ...(values.entry === 'dollars'
      ? inRatios(values, quotaPerUnit)
      : { ratio: values.ratio, completionRatio: values.completionRatio }),
  }
}

function inDollars({ ratio, completionRatio }: Omit<PriceRow, 'name'>, quotaPerUnit: number) {
  const input = ratio === undefined ? undefined : dollarsOf(ratio, quotaPerUnit)
  const hasOutput = input !== undefined && completionRatio !== undefined
  return { input, output: hasOutput ? rounded(input * completionRatio) : undefined }
}

/** Without an input price, the output cannot be a multiple of it. */
function inRatios({ input, output }: PriceValues, quotaPerUnit: number) {
  const ratio = input === undefined ? undefined : ratioOf(input, quotaPerUnit)
  return {
    ratio,
    completionRatio: input && output !== undefined ? rounded(output / input) : undefined,
  }
}

/** A fixed price disables the other fields. Ratios and dollars are converted into each other. */
export function PriceFields() {
  const t = useTexts('model-prices')
  const price = useFormValue<number>('price')
  const entry = useFormValue<PriceValues['entry']>('entry')
  const ratioHelp = useRatioHelp('ratio')
  const isFixed = price !== undefined && price !== null
  const number = numberRule(t('fault.number'))
  const needed = (isNeeded: boolean) => neededRule(isNeeded && !isFixed, t('fault.needed'))
  return (
    <>
      <Field name="price" label={t('field.price')} help={t('field.priceHelp')} rules={[number]}>
        <NumberInput min={0} prefix="$" />
      </Field>
      <Field name="entry" label={t('field.entry')}>
        <EntrySwitch isDisabled={isFixed} />
      </Field>
      {entry === 'dollars' ? (
        <>
          <Field name="input" label={t('field.input')} rules={[number, needed(true)]}>
            <NumberInput min={0} prefix="$" disabled={isFixed} />
          </Field>
          <Field name="output" label={t('field.output')} rules={[number]}>
            <NumberInput min={0} prefix="$" disabled={isFixed} />
          </Field>
        </>
      ) : (
        <>
          <Field
            name="ratio"
            label={t('field.ratio')}
            help={ratioHelp}
            rules={[number, needed(true)]}
          >
            <NumberInput min={0} disabled={isFixed} />
          </Field>
          <Field
            name="completionRatio"
            label={t('field.completionRatio')}
            help={t('field.completionHelp')}
            rules={[number]}
          >
            <NumberInput min={0} disabled={isFixed} />
          </Field>
        </>
      )}
    </>
  )
}

/** The price that belongs to the ratio in the form, or to ratio 1 while the field is empty. */
export function useRatioHelp(field: string): string {
  const t = useTexts('model-prices')
  const { quotaPerUnit } = useQuotaStyle()
  const ratio = useFormValue<number>(field) ?? 1
  return t('field.ratioHelp', { ratio, dollars: dollarsOf(ratio, quotaPerUnit) })
}

function EntrySwitch({
  value = 'ratio',
  onChange,
  isDisabled,
}: {
  value?: PriceValues['entry']
  onChange?: (entry: PriceValues['entry']) => void
  isDisabled: boolean
}) {
  const t = useTexts('model-prices')
  const { quotaPerUnit } = useQuotaStyle()
  const set = useFormSetter()
  const ratio = useFormValue<number>('ratio')
  const completionRatio = useFormValue<number>('completionRatio')
  const input = useFormValue<number>('input')
  const output = useFormValue<number>('output')
  const change = (entry: PriceValues['entry']) => {
    if (entry === 'dollars') set(inDollars({ ratio, completionRatio }, quotaPerUnit))
    else set(inRatios({ entry, input, output }, quotaPerUnit))
    onChange?.(entry)
  }
  return (
    <Radio.Group type="button" value={value} onChange={change} disabled={isDisabled}>
      <Radio value="ratio">{t('entry.ratio')}</Radio>
      <Radio value="dollars">{t('entry.dollars')}</Radio>
    </Radio.Group>
  )
}

export function numberRule(message: string) {
  return fieldRule((value) => {
    const isBlank = value === undefined || value === null || value === ''
    return isBlank || Number.isFinite(Number(value)) ? undefined : message
  })
}

function neededRule(isNeeded: boolean, message: string) {
  return fieldRule((value) =>
    isNeeded && (value === undefined || value === null) ? message : undefined,
  )
}
