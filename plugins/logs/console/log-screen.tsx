import { Button } from '@arco-design/web-react'
import { IconDownload } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  DataTable,
  download,
  FilterBar,
  formatDay,
  Page,
  RefreshButton,
  useAction,
  useData,
  useIsAdmin,
  useList,
  useTexts,
} from '#console'
import { logColumns, nameOfRow } from './log-columns.tsx'
import { LogDrawer } from './log-drawer.tsx'
import { type LogFilters, noFilters, useLogFields } from './log-filters.ts'
import { type LogRow, logTypes } from './log-row.ts'
import { LogStat } from './log-stat.tsx'
import { UserDialog } from './user-dialog.tsx'
import './logs.css'

const accepts = { type: logTypes.map(String) }

export default function LogScreen() {
  const t = useTexts('logs')
  const isAdmin = useIsAdmin()
  const [open, setOpen] = useState<LogRow>()
  const path = isAdmin ? '/api/log/' : '/api/log/self/'
  const statPath = `${path}stat`
  const list = useList<LogRow, LogFilters>(path, {
    filters: noFilters,
    accepts,
    arrange: numbered,
  })
  const stat = useData(statPath, { query: list.filters })
  const fields = useLogFields(t, isAdmin)
  const { columns, userDialog } = useLogColumns(list.setFilters)
  const refresh = () => void Promise.all([list.refresh(), stat.refresh()])
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={
        <>
          <ExportButton path={`${path}export`} filters={list.filters} />
          <RefreshButton label={t('refresh')} isRefreshing={list.isRefreshing} onClick={refresh} />
        </>
      }
    >
      <LogStat path={statPath} filters={list.filters} />
      <DataTable<LogRow, LogFilters>
        id={isAdmin ? 'log-admin' : 'log'}
        slot="logs"
        label={t('label')}
        list={list}
        columns={columns}
        keyOf={keyOf}
        nameOf={(row) => nameOfRow(row, t)}
        onOpen={setOpen}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: (
            <Link className="button-link" to="/token">
              {t('toTokens')}
            </Link>
          ),
        }}
        toolbar={<FilterBar list={list} fields={fields} />}
      />
      <LogDrawer
        rows={list.rows}
        row={open}
        isAdmin={isAdmin}
        onShow={setOpen}
        onClose={() => setOpen(undefined)}
      />
      {userDialog}
    </Page>
  )
}

/** The columns, and the account that was opened from a name in them. */
function useLogColumns(filter: (changes: Partial<LogFilters>) => void) {
  const t = useTexts('logs')
  const isAdmin = useIsAdmin()
  const [user, setUser] = useState<{ id: number; name: string }>()
  const columns = useMemo(
    () =>
      logColumns({
        t,
        isAdmin,
        showUser: ({ user_id, username }) => setUser({ id: user_id, name: username }),
        filter,
      }),
    [t, isAdmin, filter],
  )
  const userDialog = user ? (
    <UserDialog
      userId={user.id}
      name={user.name}
      onFilter={() => {
        filter({ username: user.name })
        setUser(undefined)
      }}
      onClose={() => setUser(undefined)}
    />
  ) : null
  return { columns, userDialog }
}

/** Downloads the rows of the current filters as a file. */
function ExportButton({ path, filters }: { path: string; filters: LogFilters }) {
  const t = useTexts('logs')
  const [save, isSaving] = useAction(() =>
    download(path, `log-${formatDay(Date.now() / 1000)}.csv`, filters),
  )
  return (
    <Button icon={<IconDownload />} loading={isSaving} onClick={() => void save()}>
      {t('export')}
    </Button>
  )
}

function keyOf({ id, created_at, place }: LogRow): string {
  return `${created_at}-${id}-${place}`
}

/** Two rows of one second may have the same shortened id, so the position is part of the key. */
function numbered(rows: LogRow[]): LogRow[] {
  return rows.map((row, place) => ({ ...row, place }))
}
