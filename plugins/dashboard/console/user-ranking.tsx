import { useRef } from 'react'
import {
  Card,
  EmptyState,
  ErrorState,
  formatExact,
  Loading,
  Quota,
  TableScroll,
  useAlignedPoints,
  useData,
  useTexts,
} from '#console'
import type { UserRow } from '../schema.ts'
import type { View } from './view.ts'

const shown = 20

/** The users who spent most in the span, for admins. A click on one shows the figures of that user alone. */
export function UserRanking({ view }: { view: View }) {
  const t = useTexts('dashboard')
  const { start, end } = view.span
  const { data, error, refresh } = useData<UserRow[]>('/api/data/users', {
    query: { start_timestamp: start, end_timestamp: end },
  })
  return (
    <Card title={t('users.title')} hint={t('users.hint')}>
      {error ? (
        <ErrorState message={error.message} onRetry={() => void refresh()} />
      ) : !data ? (
        <Loading />
      ) : data.length === 0 ? (
        <EmptyState title={t('empty')} />
      ) : (
        <RankingTable users={data} view={view} />
      )}
    </Card>
  )
}

function RankingTable({ users, view }: { users: readonly UserRow[]; view: View }) {
  const t = useTexts('dashboard')
  const table = useRef<HTMLTableElement>(null)
  useAlignedPoints(table)
  return (
    <TableScroll label={t('users.table')} className="dashboard-table">
      <table aria-label={t('users.title')} ref={table}>
        <thead>
          <tr>
            <th scope="col">{t('username')}</th>
            <th scope="col" className="align-right">
              {t('measure.quota')}
            </th>
            <th scope="col" className="align-right">
              {t('measure.count')}
            </th>
            <th scope="col" className="align-right">
              {t('measure.token_used')}
            </th>
          </tr>
        </thead>
        <tbody>
          {users.slice(0, shown).map((user) => (
            <tr key={user.user_id}>
              <th scope="row">
                <button
                  type="button"
                  className="dashboard-user"
                  title={t('users.show', { name: user.username })}
                  onClick={() =>
                    view.change({
                      username: user.username || `#${user.user_id}`,
                      user_id: String(user.user_id),
                    })
                  }
                >
                  {user.username || `#${user.user_id}`}
                </button>
              </th>
              <td className="align-right">
                <Quota units={user.quota} isAligned />
              </td>
              <td className="align-right number">{formatExact(user.count)}</td>
              <td className="align-right number">{formatExact(user.token_used)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}
