import { Button } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import {
  Field,
  fieldRule,
  FormSection,
  IconButton,
  NumberInput,
  useFormValue,
  useQuotaStyle,
  useTexts,
} from '#console'
import { dollarsOf, rounded } from './price-maps.ts'
import {
  mostAbove,
  mostSteps,
  type StepDraft,
  stepFault,
  type StepPart,
  stepParts,
} from './step-drafts.ts'

/** The steps of prices for longer prompts. A price per call has none. */
export function StepFields() {
  const t = useTexts('model-prices')
  const price = useFormValue<number>('price')
  const isFixed = price !== undefined && price !== null
  const rule = fieldRule<StepDraft[]>((drafts = []) =>
    isFixed ? undefined : stepFault(drafts, t)?.text,
  )
  return (
    <FormSection title={t('steps.title')} hint={t('steps.hint')}>
      <Field name="steps" label={null} rules={[rule]}>
        <Steps isDisabled={isFixed} />
      </Field>
    </FormSection>
  )
}

function Steps({
  value = [],
  onChange,
  error: isRefused = false,
  isDisabled,
}: {
  value?: readonly StepDraft[]
  onChange?: (drafts: readonly StepDraft[]) => void
  /** Whether the form has found a fault in the field. */
  error?: boolean
  isDisabled: boolean
}) {
  const t = useTexts('model-prices')
  const fault = isRefused ? stepFault(value, t) : undefined
  const change = (at: number, part: StepPart, to: number | undefined) =>
    onChange?.(value.map((draft, index) => (index === at ? { ...draft, [part]: to } : draft)))
  return (
    <div className="price-steps">
      {value.map((draft, index) => (
        <Step
          // Steps have no names; what is removed in the middle moves the rest up.
          key={index}
          number={index + 1}
          draft={draft}
          wrongPart={fault?.index === index ? fault.part : undefined}
          isDisabled={isDisabled}
          onChange={(part, to) => change(index, part, to)}
          onRemove={() => onChange?.(value.filter((_, at) => at !== index))}
        />
      ))}
      <Button
        icon={<IconPlus />}
        disabled={isDisabled || value.length >= mostSteps}
        onClick={() => onChange?.([...value, {}])}
      >
        {t('steps.add')}
      </Button>
    </div>
  )
}

function Step({
  number,
  draft,
  wrongPart,
  isDisabled,
  onChange,
  onRemove,
}: {
  number: number
  draft: StepDraft
  wrongPart: StepPart | undefined
  isDisabled: boolean
  onChange(part: StepPart, value: number | undefined): void
  onRemove(): void
}) {
  const t = useTexts('model-prices')
  return (
    <div className="price-step" role="group" aria-label={t('steps.step', { step: number })}>
      {stepParts.map((part) => (
        <label key={part}>
          <span>{t(`steps.${part}`)}</span>
          <NumberInput
            label={t('steps.fieldOf', { step: number, field: t(`steps.${part}`) })}
            value={draft[part]}
            onChange={(value) => onChange(part, value)}
            min={part === 'above' ? 1 : 0}
            {...(part === 'above' ? { max: mostAbove, precision: 0 } : { prefix: '×' })}
            isWrong={part === wrongPart}
            disabled={isDisabled}
          />
        </label>
      ))}
      <IconButton
        icon={<IconDelete />}
        label={t('steps.remove', { step: number })}
        disabled={isDisabled}
        onClick={onRemove}
      />
      <StepPrices draft={draft} />
    </div>
  )
}

/** The prices that result from the factors; nothing where the base prices are not known. */
function StepPrices({ draft }: { draft: StepDraft }) {
  const t = useTexts('model-prices')
  const { quotaPerUnit } = useQuotaStyle()
  const isInDollars = useFormValue<string>('entry') === 'dollars'
  const ratio = useFormValue<number>('ratio')
  const completion = useFormValue<number>('completionRatio')
  const given = { input: useFormValue<number>('input'), output: useFormValue<number>('output') }
  const input = isInDollars ? given.input : times(ratio, dollarsOf(1, quotaPerUnit))
  const output = isInDollars ? given.output : times(input, completion)
  const parts = [
    dollarsText(t('steps.input'), times(input, draft.input)),
    dollarsText(t('steps.output'), times(output, draft.output)),
  ].filter((text) => text !== undefined)
  if (parts.length === 0) return null
  return <small className="muted number">{t('steps.result', { prices: parts.join(' · ') })}</small>
}

function times(price: number | undefined, factor: number | undefined): number | undefined {
  const product = rounded((price ?? Number.NaN) * (factor ?? Number.NaN))
  return Number.isNaN(product) ? undefined : product
}

function dollarsText(name: string, dollars: number | undefined): string | undefined {
  return dollars === undefined ? undefined : `${name} $${dollars}`
}
