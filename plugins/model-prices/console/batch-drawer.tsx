import { useState } from 'react'
import { EditDrawer, Field, NumberInput, Select, toast, useFormValue, useTexts } from '#console'
import type { PriceRow } from './price-maps.ts'
import { numberRule, useRatioHelp } from './price-fields.tsx'

const kinds = ['price', 'ratio', 'completionRatio', 'both'] as const

interface Values {
  kind: (typeof kinds)[number]
  value?: number
  second?: number
}

/** One value for many models. */
export function BatchDrawer({
  rows,
  onClose,
  onSave,
}: {
  rows: readonly PriceRow[] | undefined
  onClose(): void
  onSave(rows: readonly PriceRow[]): Promise<boolean>
}) {
  const t = useTexts('model-prices')
  const [initial] = useState<Values>({ kind: 'ratio' })
  const save = async (values: Values) => {
    if (!rows || rows.length === 0) return refuse(t('fault.noModels'))
    const isBoth = values.kind === 'both'
    if (isBoth && (values.value === undefined || values.second === undefined))
      return refuse(t('fault.bothNeeded'))
    if (values.value === undefined) return refuse(t('fault.noValue'))
    if (!(await onSave(rows.map((row) => filled(row, values))))) return false
    toast.success(t('batch.done', { count: rows.length }))
    return true
  }
  return (
    <EditDrawer<Values>
      title={t('batch.title', { count: rows?.length ?? 0 })}
      isOpen={rows !== undefined}
      onClose={onClose}
      initial={rows ? initial : undefined}
      onSave={save}
      saveLabel={t('batch.save')}
      footerNote={t('batch.note', { count: rows?.length ?? 0 })}
    >
      <Field name="kind" label={t('batch.kind')}>
        <Select<Values['kind']>
          choices={kinds.map((kind) => ({ value: kind, label: t(`batch.kinds.${kind}`) }))}
        />
      </Field>
      <BatchValues />
    </EditDrawer>
  )
}

function BatchValues() {
  const t = useTexts('model-prices')
  const kind = useFormValue<Values['kind']>('kind') ?? 'ratio'
  const rules = [numberRule(t('fault.number'))]
  const first = kind === 'both' ? 'ratio' : kind
  const helps = {
    price: undefined,
    ratio: useRatioHelp('value'),
    completionRatio: t('field.completionHelp'),
  }
  return (
    <>
      <Field name="value" label={t(`batch.kinds.${first}`)} help={helps[first]} rules={rules}>
        <NumberInput min={0} prefix={kind === 'price' ? '$' : undefined} />
      </Field>
      {kind === 'both' ? (
        <Field
          name="second"
          label={t('batch.kinds.completionRatio')}
          help={helps.completionRatio}
          rules={rules}
        >
          <NumberInput min={0} />
        </Field>
      ) : null}
    </>
  )
}

function refuse(message: string): false {
  toast.warning(message)
  return false
}

/** A fixed price replaces ratios, and ratios replace a fixed price. Values that were not entered stay. */
function filled(row: PriceRow, { kind, value, second }: Values): PriceRow {
  const { name, ratio, completionRatio } = row
  if (kind === 'price') return { name, price: value }
  if (kind === 'both') return { name, ratio: value, completionRatio: second }
  // A completion ratio alone is no price, so a fixed price beside it stays.
  if (kind === 'completionRatio') return { ...row, completionRatio: value }
  return { name, ratio: value ?? ratio, completionRatio }
}
