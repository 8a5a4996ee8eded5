import { useMemo, useState } from 'react'
import { DataTable, FilterBar, ModelName, useTexts } from '#console'
import { BatchDrawer } from './batch-drawer.tsx'
import { PriceDrawer } from './price-drawer.tsx'
import { type PriceRow, soundRow } from './price-maps.ts'
import { type NameFilter, useLocalList } from './use-local-list.ts'
import { usePriceRows } from './use-price-rows.ts'
import { useUnsetModels } from './use-unset-models.ts'

/** Models that channels serve and that have no price: calls of them are refused. */
export function UnsetList() {
  const t = useTexts('model-prices')
  const prices = usePriceRows()
  const unset = useUnsetModels()
  const rows = useMemo(() => unset.names.map((name): PriceRow => ({ name })), [unset.names])
  const list = useLocalList({ ...unset, rows })
  const [edited, setEdited] = useState<PriceRow>()
  const [batch, setBatch] = useState<readonly PriceRow[]>()
  const save = async (changes: readonly PriceRow[]) => {
    const isDone = await prices.save(changes)
    await unset.refresh()
    return isDone
  }
  return (
    <>
      <p className="price-hint">{t('unset.hint')}</p>
      <DataTable<PriceRow, NameFilter>
        id="unset-models"
        label={t('unset.label')}
        list={list}
        columns={[
          {
            id: 'name',
            title: t('column.name'),
            isTitle: true,
            render: ({ name }) => <ModelName name={name} />,
          },
        ]}
        keyOf={({ name }) => name}
        nameOf={({ name }) => name}
        onOpen={setEdited}
        actions={(row) => [{ label: t('unset.set'), run: () => setEdited(row) }]}
        bulkActions={[
          { label: t('batch.button'), run: async (chosen) => (setBatch(chosen), false) },
        ]}
        empty={{ title: t('unset.empty'), hint: t('unset.emptyHint') }}
        toolbar={
          <FilterBar list={list} fields={[{ kind: 'search', name: 'name', label: t('search') }]} />
        }
      />
      <PriceDrawer
        row={edited}
        taken={[]}
        onClose={() => setEdited(undefined)}
        onSave={(row) => save([soundRow(row)])}
      />
      <BatchDrawer rows={batch} onClose={() => setBatch(undefined)} onSave={save} />
    </>
  )
}
