import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { DataTable, FilterBar, toast, useQuotaStyle, useTexts } from '#console'
import { BatchDrawer } from './batch-drawer.tsx'
import { priceColumns } from './price-columns.tsx'
import { PriceDrawer } from './price-drawer.tsx'
import { type PriceRow, soundRow } from './price-maps.ts'
import { type NameFilter, useLocalList } from './use-local-list.ts'
import { usePriceRows } from './use-price-rows.ts'

/** One row a model: add, change and remove prices without touching JSON. */
export function PriceList() {
  const t = useTexts('model-prices')
  const prices = usePriceRows()
  const list = useLocalList(prices)
  const { quotaPerUnit } = useQuotaStyle()
  const [edited, setEdited] = useState<PriceRow | 'new'>()
  const [batch, setBatch] = useState<readonly PriceRow[]>()
  const columns = useMemo(() => priceColumns(t, quotaPerUnit), [t, quotaPerUnit])
  const remove = async (rows: readonly PriceRow[]) => {
    const isDone = await prices.save(rows.map(({ name }) => ({ name })))
    if (isDone) toast.success(t('removed', { count: rows.length }))
    return isDone
  }
  const question = (rows: readonly PriceRow[]) => ({
    title: t('remove.title', { count: rows.length, name: rows[0]?.name }),
    content: t('remove.text'),
    confirmLabel: t('remove.do'),
    isDanger: true,
  })
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
        actions={(row) => [
          { label: t('edit'), run: () => setEdited(row) },
          {
            label: t('remove.do'),
            isDanger: true,
            confirm: question([row]),
            run: () => remove([row]),
          },
        ]}
        bulkActions={[
          { label: t('batch.button'), run: async (rows) => (setBatch(rows), false) },
          {
            label: t('remove.do'),
            isDanger: true,
            confirm: question,
            run: async (rows) => ((await remove(rows)) ? undefined : false),
          },
        ]}
        empty={{ title: t('empty.title'), hint: t('empty.hint') }}
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
