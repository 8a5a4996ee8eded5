import { Button } from '@arco-design/web-react'
import { IconRefresh } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { DataTable, FilterBar, Page, useData, useIsAdmin, useList, useTexts } from '#console'
import { logColumns, nameOfRow } from './log-columns.tsx'
import { LogDetails } from './log-details.tsx'
import { type LogFilters, noFilters, useLogFields } from './log-filters.ts'
import type { LogRow } from './log-row.ts'
import { LogStat } from './log-stat.tsx'
import { UserDialog } from './user-dialog.tsx'
import './logs.css'

export default function LogScreen() {
  const t = useTexts('logs')
  const isAdmin = useIsAdmin()
  const [user, setUser] = useState<{ id: number; name: string }>()
  const path = isAdmin ? '/api/log/' : '/api/log/self/'
  const statPath = `${path}stat`
  const list = useList<LogRow, LogFilters>(path, { filters: noFilters, arrange: numbered })
  const stat = useData(statPath, { query: list.filters })
  const fields = useLogFields(t, isAdmin)
  const columns = useMemo(
    () =>
      logColumns({
        t,
        isAdmin,
        showUser: ({ user_id, username }) => setUser({ id: user_id, name: username }),
      }),
    [t, isAdmin],
  )
  const refresh = (
    <Button
      icon={<IconRefresh />}
      loading={list.isRefreshing}
      onClick={() => void Promise.all([list.refresh(), stat.refresh()])}
    >
      {t('refresh')}
    </Button>
  )
  return (
    <Page title={t('title')} hint={t('hint')} actions={refresh}>
      <LogStat path={statPath} filters={list.filters} />
      <DataTable<LogRow, LogFilters>
        id={isAdmin ? 'logs-admin' : 'logs'}
        label={t('label')}
        list={list}
        columns={columns}
        keyOf={({ id, created_at, place }) => `${created_at}-${id}-${place}`}
        nameOf={(row) => nameOfRow(row, t)}
        details={isAdmin ? adminDetails : ownDetails}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
        toolbar={<FilterBar list={list} fields={fields} />}
      />
      {user ? (
        <UserDialog userId={user.id} name={user.name} onClose={() => setUser(undefined)} />
      ) : null}
    </Page>
  )
}

const ownDetails = (row: LogRow) => <LogDetails row={row} isAdmin={false} />
const adminDetails = (row: LogRow) => <LogDetails row={row} isAdmin />

/** Two rows of one second can carry the same shortened id: the place tells them apart. */
function numbered(rows: LogRow[]): LogRow[] {
  return rows.map((row, place) => ({ ...row, place }))
}
