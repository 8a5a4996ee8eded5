import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import {
  ApiDocsLink,
  chatLinksOf,
  DataTable,
  FilterBar,
  Page,
  tokenStatus,
  useList,
  serverAddressOf,
  useStatus,
  useTexts,
} from '#console'
import type { Batch } from './create-tokens.ts'
import { MadeDialog } from './made-dialog.tsx'
import type { Token } from './token.ts'
import { tokenActions, tokenBulkActions } from './token-actions.ts'
import { tokenColumns } from './token-columns.tsx'
import { TokenDrawer } from './token-drawer.tsx'
import './tokens.css'

const noFilters = { keyword: '', token: '', status: '', sort: '', order: '' }

export default function TokensScreen() {
  const t = useTexts('tokens')
  const status = useStatus()
  const [editing, setEditing] = useState<Token | 'new'>()
  const [made, setMade] = useState<{ batch: Batch; wanted: number }>()
  const list = useList<Token, typeof noFilters>('/api/token/', {
    filters: noFilters,
    shape: 'array',
    firstPage: 0,
    sizeParameter: 'size',
    search: {
      path: '/api/token/search',
      shape: 'whole',
      when: ({ keyword, token, status }) => `${keyword}${token}${status}` !== '',
    },
  })
  const columns = useMemo(() => tokenColumns(t), [t])
  const tools = {
    t,
    list,
    chats: chatLinksOf(status?.chats),
    server: serverAddressOf(status),
    edit: setEditing,
  }
  const create = (
    <>
      <ApiDocsLink />
      <Button type="primary" icon={<IconPlus />} onClick={() => setEditing('new')}>
        {t('add')}
      </Button>
    </>
  )
  return (
    <Page title={t('title')} hint={t('hint')} actions={create}>
      <DataTable<Token, typeof noFilters>
        id="tokens"
        label={t('label')}
        list={list}
        columns={columns}
        nameOf={({ name }) => name}
        actions={(token) => tokenActions(token, tools)}
        bulkActions={tokenBulkActions(t)}
        onOpen={setEditing}
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
            ]}
          />
        }
      />
      <TokenDrawer
        token={editing === 'new' ? undefined : editing}
        isOpen={editing !== undefined}
        onClose={() => setEditing(undefined)}
        onSaved={() => list.refresh()}
        onMade={(batch, wanted) => setMade({ batch, wanted })}
      />
      {made ? <MadeDialog {...made} onClose={() => setMade(undefined)} /> : null}
    </Page>
  )
}
