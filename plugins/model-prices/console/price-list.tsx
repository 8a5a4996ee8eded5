import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import {
  type Action,
  type BulkAction,
  DataTable,
  FilterBar,
  toast,
  useQuotaStyle,
  useTexts,
} from '#console'
import { BatchDrawer } from './batch-drawer.tsx'
import { priceColumns } from './price-columns.tsx'
import { PriceDrawer } from './price-drawer.tsx'
import { type PriceRow, soundRow } from './price-maps.ts'
import { type NameFilter, useLocalList } from './use-local-list.ts'
import { usePriceRows } from './use-price-rows.ts'

/** One row for each model: prices are added, changed and removed without editing JSON. */
export function PriceList() {
  const t = useTexts('model-prices')
  const prices = usePriceRows()
  const list = useLocalList(prices)
  const { quotaPerUnit } = useQuotaStyle()
  const [edited, setEdited] = useState<PriceRow | 'new'>()
  const [batch, setBatch] = useState<readonly PriceRow[]>()
  const columns = useMemo(() => priceColumns(t, quotaPerUnit), [t, quotaPerUnit])
  const removal = useRemoval(prices.save)
  return (
    <>
      <DataTable<PriceRow, NameFilter>
        id="model-prices"
        label={t('label')}
        list={list}
        columns={columns}
        keyOf={({ name }) => name}
        nameOf={({ name }) => name}
        onOpen={setEdited}
        actions={(row) => [{ label: t('edit'), run: () => setEdited(row) }, removal.ofOne(row)]}
        bulkActions={[
          { label: t('batch.button'), run: async (rows) => (setBatch(rows), false) },
          removal.ofMany,
        ]}
        empty={{
          title: t('empty.title'),
          hint: t('empty.hint'),
          action: <Button onClick={() => setEdited('new')}>{t('add')}</Button>,
        }}
        toolbar={
          <FilterBar list={list} fields={[{ kind: 'search', name: 'name', label: t('search') }]}>
            <Button icon={<IconPlus />} onClick={() => setEdited('new')}>
              {t('add')}
            </Button>
          </FilterBar>
        }
      />
      <PriceDrawer
        row={edited}
        taken={prices.rows}
        onClose={() => setEdited(undefined)}
        onSave={(row) => prices.save([soundRow(row)])}
      />
      <BatchDrawer rows={batch} onClose={() => setBatch(undefined)} onSave={prices.save} />
    </>
  )
}

/** Removes the prices of one row or of several. */
function useRemoval(save: (rows: readonly PriceRow[]) => Promise<boolean>) {
  const t = useTexts('model-prices')
  const remove = async (rows: readonly PriceRow[]) => {
    const isDone = await save(rows.map(({ name }) => ({ name, steps: undefined })))
    if (isDone) toast.success(t('removed', { count: rows.length }))
    return isDone
  }
  const question = (rows: readonly PriceRow[]) => ({
    title: t('remove.title', { count: rows.length, name: rows[0]?.name }),
    content: t('remove.text'),
    confirmLabel: t('remove.do'),
    isDanger: true,
  })
  const face = { label: t('remove.do'), isDanger: true }
  const ofOne = (row: PriceRow): Action => ({
    ...face,
    confirm: () => question([row]),
    run: () => remove([row]),
  })
  const ofMany: BulkAction<PriceRow> = {
    ...face,
    confirm: question,
    run: async (rows) => ((await remove(rows)) ? undefined : false),
  }
  return { ofOne, ofMany }
}
