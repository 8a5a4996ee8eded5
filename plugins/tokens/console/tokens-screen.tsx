import { Button } from '@arco-design/web-react'
import { useMemo, useState } from 'react'
import {
  AddButton,
  ApiDocsLink,
  chatLinksOf,
  DataTable,
  EmptyBalance,
  FilterBar,
  type FilterField,
  Page,
  type Texts,
  tokenNameOf,
  tokenStatus,
  useEditing,
  useList,
  serverAddressOf,
  useStatus,
  useTexts,
} from '#console'
import type { Batch } from './create-tokens.ts'
import { MadeDialog } from './made-dialog.tsx'
import type { Token } from '../schema.ts'
import { tokenActions, tokenBulkActions } from './token-actions.ts'
import { tokenColumns } from './token-columns.tsx'
import { TokenDrawer } from './token-drawer.tsx'
import './tokens.css'

const noFilters = { keyword: '', token: '', status: '', sort: '', order: '' }

const accepts = {
  status: Object.values(tokenStatus).map(String),
  sort: ['remain_quota', 'used_quota', 'created_time', 'accessed_time'],
} as const

export default function TokensScreen() {
  const t = useTexts('tokens')
  const status = useStatus()
  const editing = useEditing<Token>()
  const [made, setMade] = useState<{ batch: Batch; wanted: number }>()
  const list = useTokens()
  const columns = useMemo(() => tokenColumns(t), [t])
  const chats = chatLinksOf(status?.chats)
  const tools = { t, list, chats, server: serverAddressOf(status), edit: editing.edit }
  const actions = (
    <>
      <ApiDocsLink />
      <AddButton label={t('add')} onClick={editing.add} />
    </>
  )
  return (
    <Page title={t('title')} hint={t('hint')} actions={actions}>
      <EmptyBalance />
      <DataTable<Token, typeof noFilters>
        id="tokens"
        slot="tokens"
        label={t('label')}
        list={list}
        columns={columns}
        nameOf={tokenNameOf}
        actions={(token) => tokenActions(token, tools)}
        bulkActions={tokenBulkActions(t)}
        onOpen={editing.edit}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: <Button onClick={editing.add}>{t('add')}</Button>,
        }}
        toolbar={<FilterBar list={list} fields={fieldsOf(t)} />}
      />
      <TokenDrawer
        editing={editing}
        onSaved={() => list.refresh()}
        onMade={(batch, wanted) => setMade({ batch, wanted })}
      />
      {made ? <MadeDialog {...made} onClose={() => setMade(undefined)} /> : null}
    </Page>
  )
}

function useTokens() {
  return useList<Token, typeof noFilters>('/api/token/', {
    filters: noFilters,
    accepts,
    shape: 'array',
    firstPage: 0,
    sizeParameter: 'size',
    search: {
      path: '/api/token/search',
      shape: 'whole',
      when: ({ keyword, token, status }) => `${keyword}${token}${status}` !== '',
    },
  })
}

function fieldsOf(t: Texts): FilterField[] {
  return [
    { kind: 'search', name: 'keyword', label: t('search') },
    { kind: 'text', name: 'token', label: t('searchKey') },
    {
      kind: 'select',
      name: 'status',
      label: t('column.status'),
      choices: Object.entries(tokenStatus).map(([key, status]) => ({
        value: String(status),
        label: t(`status.${key}`),
      })),
    },
  ]
}
