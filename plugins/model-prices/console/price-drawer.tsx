import { Input } from '@arco-design/web-react'
import { useMemo } from 'react'
import { EditDrawer, Field, fieldRule, toast, useQuotaStyle, useTexts } from '#console'
import { numbersOf, PriceFields, type PriceValues, rowOf } from './price-fields.tsx'
import { StepFields } from './step-fields.tsx'
import type { PriceRow } from './price-maps.ts'

type Values = PriceValues & { name: string }

/** The price of one model, as ratios or in dollars. */
export function PriceDrawer({
  row,
  taken,
  onClose,
  onSave,
}: {
  row: PriceRow | 'new' | undefined
  /** Models that have a price already: a new one must not be one of them. */
  taken: readonly PriceRow[]
  onClose(): void
  onSave(row: PriceRow): Promise<boolean>
}) {
  const t = useTexts('model-prices')
  const { quotaPerUnit } = useQuotaStyle()
  const isNew = row === 'new'
  const initial = useMemo((): Values | undefined => {
    if (row === undefined) return undefined
    return row === 'new'
      ? { name: '', entry: 'ratio' }
      : { name: row.name, ...numbersOf(row, quotaPerUnit) }
  }, [row, quotaPerUnit])
  const save = async (values: Values) => {
    const name = values.name.trim()
    const before = row === 'new' ? undefined : row
    if (!(await onSave(rowOf(values, before, quotaPerUnit)))) return false
    toast.success(t('saved', { name }))
    return true
  }
  const freeName = fieldRule<string>((value) =>
    isNew && taken.some(({ name }) => name === value?.trim()) ? t('fault.taken') : undefined,
  )
  return (
    <EditDrawer<Values>
      title={isNew ? t('add') : t('editTitle', { name: initial?.name })}
      isOpen={row !== undefined}
      onClose={onClose}
      initial={initial}
      onSave={save}
    >
      <Field
        name="name"
        label={t('column.name')}
        help={isNew ? t('nameHelp') : undefined}
        isRequired
        rules={[freeName]}
      >
        <Input className="code" disabled={!isNew} maxLength={255} />
      </Field>
      <PriceFields />
      <StepFields />
    </EditDrawer>
  )
}
