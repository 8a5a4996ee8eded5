import { Button } from '@arco-design/web-react'
import { useMemo, useState } from 'react'
import { useParams } from 'react-router-dom'
import {
  AddButton,
  DataTable,
  useDrawerAddress,
  FilterBar,
  type FilterField,
  Page,
  role,
  useGroupNames,
  useList,
  useSession,
  useTexts,
} from '#console'
import { AddUserDrawer } from './add-user-drawer.tsx'
import { EditUserDrawer } from './edit-user-drawer.tsx'
import type { User } from '../schema.ts'
import { userActions } from './user-actions.tsx'
import { userColumns } from './user-columns.tsx'
import { mayReach } from './user-rights.ts'
import './users.css'

const noFilters = { keyword: '', role: '', status: '', group: '', sort: '', order: '' }

/** Under the names that the call uses. */
const statusChoices = [
  { value: '1', key: 'active' },
  { value: '2', key: 'banned' },
  { value: '3', key: 'locked' },
  { value: 'deleted', key: 'gone' },
] as const

const accepts = {
  role: [role.user, role.admin, role.root].map(String),
  status: statusChoices.map(({ value }) => value),
  sort: ['id', 'quota', 'used_quota', 'request_count'],
} as const

export default function UsersScreen() {
  const t = useTexts('users')
  const own = useSession(({ user }) => user)
  const [isAdding, setAdding] = useState(false)
  const { userId, open } = useOpenUser()
  const list = useList<User, typeof noFilters>('/api/user/', {
    filters: noFilters,
    accepts,
  })
  const fields = useUserFields()
  const columns = useMemo(() => userColumns(t, own?.id ?? 0), [t, own?.id])
  const ownRole = own?.role ?? 0
  const edit = ({ id }: User) => open(id)
  return (
    <Page
      title={t('title')}
      hint={t('hint')}
      actions={<AddButton label={t('add')} onClick={() => setAdding(true)} />}
    >
      <DataTable<User, typeof noFilters>
        id="users"
        slot="users"
        label={t('label')}
        list={list}
        columns={columns}
        nameOf={({ username }) => username}
        actions={(user) => userActions(user, { t, list, ownRole, edit })}
        onOpen={edit}
        canOpen={(user) => mayReach(ownRole, user)}
        empty={{
          title: t('empty'),
          hint: t('emptyHint'),
          action: <Button onClick={() => setAdding(true)}>{t('add')}</Button>,
        }}
        toolbar={<FilterBar list={list} fields={fields} />}
      />
      <AddUserDrawer
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onSaved={() => list.refresh()}
      />
      <EditUserDrawer
        userId={userId}
        onClose={() => open(undefined)}
        onSaved={() => list.refresh()}
      />
    </Page>
  )
}

function useUserFields(): FilterField[] {
  const t = useTexts('users')
  const groups = useGroupNames()
  return [
    { kind: 'search', name: 'keyword', label: t('filter.keyword') },
    {
      kind: 'select',
      name: 'role',
      label: t('column.role'),
      choices: Object.values(role).map((value) => ({
        value: String(value),
        label: t(`role.${value}`),
      })),
    },
    {
      kind: 'select',
      name: 'status',
      label: t('column.status'),
      choices: statusChoices.map(({ value, key }) => ({ value, label: t(`status.${key}`) })),
    },
    {
      kind: 'select',
      name: 'group',
      label: t('filter.group'),
      choices: groups.data ?? [],
      source: groups,
    },
  ]
}

/** The open drawer has an address, in which the filters of the list are kept. */
function useOpenUser() {
  const go = useDrawerAddress('/user')
  const id = Number(useParams().id)
  const open = (next: number | undefined) =>
    go(next === undefined ? undefined : `/user/edit/${next}`)
  return { userId: Number.isInteger(id) && id > 0 ? id : undefined, open }
}
