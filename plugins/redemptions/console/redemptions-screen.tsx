import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { DataTable, FilterBar, Page, useList, useTexts } from '#console'
import { codeActions, codeBulkActions } from './code-actions.ts'
import { codeColumns } from './code-columns.tsx'
import { CodeDrawer } from './code-drawer.tsx'
import { isOpen, type Redemption } from './code.ts'
import { type Made, MadeDialog } from './made-dialog.tsx'
import './redemptions.css'

const noFilters = { keyword: '', status: '' }

export default function RedemptionsScreen() {
  const t = useTexts('redemptions')
  const [editing, setEditing] = useState<Redemption | 'new'>()
  const [made, setMade] = useState<Made>()
  const list = useList<Redemption, typeof noFilters>('/api/redemption/', {
    filters: noFilters,
    search: { path: '/api/redemption/search', when: ({ keyword }) => keyword !== '' },
  })
  const columns = useMemo(() => codeColumns(t), [t])
  const create = (
    <Button type="primary" icon={<IconPlus />} onClick={() => setEditing('new')}>
      {t('add')}
    </Button>
  )
  return (
    <Page title={t('title')} hint={t('hint')} actions={create}>
      <DataTable<Redemption, typeof noFilters>
        id="redemptions"
        label={t('label')}
        list={list}
        columns={columns}
        nameOf={({ name, id }) => `${name} (${id})`}
        actions={(code) => codeActions(code, { t, list, edit: setEditing })}
        bulkActions={codeBulkActions(t)}
        onOpen={setEditing}
        canOpen={isOpen}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: <Button onClick={() => setEditing('new')}>{t('add')}</Button>,
        }}
        toolbar={
          <FilterBar
            list={list}
            fields={[
              { kind: 'search', name: 'keyword', label: t('search') },
              {
                kind: 'select',
                name: 'status',
                label: t('column.status'),
                choices: [
                  { value: '1', label: t('status.unused') },
                  { value: '2', label: t('status.disabled') },
                  { value: '3', label: t('status.used') },
                  { value: 'expired', label: t('status.expired') },
                ],
              },
            ]}
          />
        }
      />
      <CodeDrawer
        code={editing === 'new' ? undefined : editing}
        isOpen={editing !== undefined}
        onClose={() => setEditing(undefined)}
        onSaved={() => list.refresh()}
        onMade={(name, codes) => setMade({ name, codes })}
      />
      {made ? <MadeDialog {...made} onClose={() => setMade(undefined)} /> : null}
    </Page>
  )
}
