import { Button } from '@arco-design/web-react'
import { useMemo, useState } from 'react'
import {
  AddButton,
  DataTable,
  FilterBar,
  type FilterField,
  Page,
  type Texts,
  useEditing,
  useList,
  useTexts,
} from '#console'
import { codeActions, codeBulkActions } from './code-actions.ts'
import { codeColumns } from './code-columns.tsx'
import { CodeDrawer } from './code-drawer.tsx'
import { codeStatus, type Redemption } from '../schema.ts'
import { isEditable } from './code.ts'
import { type Made, MadeDialog } from './made-dialog.tsx'
import './redemptions.css'

const noFilters = { keyword: '', status: '' }

/** The values are those of the API. */
const statusFilters = [
  { value: String(codeStatus.unused), key: 'unused' },
  { value: String(codeStatus.disabled), key: 'disabled' },
  { value: String(codeStatus.used), key: 'used' },
  { value: 'expired', key: 'expired' },
] as const

export default function RedemptionsScreen() {
  const t = useTexts('redemptions')
  const editing = useEditing<Redemption>()
  const [made, setMade] = useState<Made>()
  const list = useList<Redemption, typeof noFilters>('/api/redemption/', {
    filters: noFilters,
    accepts: { status: statusFilters.map(({ value }) => value) },
    search: { path: '/api/redemption/search', when: ({ keyword }) => keyword !== '' },
  })
  const columns = useMemo(() => codeColumns(t), [t])
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={<AddButton label={t('add')} onClick={editing.add} />}
    >
      <DataTable<Redemption, typeof noFilters>
        id="redemptions"
        label={t('label')}
        list={list}
        columns={columns}
        nameOf={({ name, id }) => `${name} (${id})`}
        actions={(code) => codeActions(code, { t, list, edit: editing.edit })}
        bulkActions={codeBulkActions(t)}
        onOpen={editing.edit}
        canOpen={isEditable}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: <Button onClick={editing.add}>{t('add')}</Button>,
        }}
        toolbar={<FilterBar list={list} fields={fieldsOf(t)} />}
      />
      <CodeDrawer
        editing={editing}
        onSaved={() => list.refresh()}
        onMade={(name, codes) => setMade({ name, codes })}
      />
      {made ? <MadeDialog {...made} onClose={() => setMade(undefined)} /> : null}
    </Page>
  )
}

function fieldsOf(t: Texts): FilterField[] {
  return [
    { kind: 'search', name: 'keyword', label: t('search') },
    {
      kind: 'select',
      name: 'status',
      label: t('column.status'),
      choices: statusFilters.map(({ value, key }) => ({ value, label: t(`status.${key}`) })),
    },
  ]
}
