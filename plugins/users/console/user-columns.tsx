import {
  type Column,
  formatExact,
  formatWholeQuota,
  Hint,
  Label,
  Labels,
  Quota,
  StatusTag,
  type Texts,
  useQuotaStyle,
  useTexts,
  role,
} from '#console'
import type { User } from '../schema.ts'
import { boundFields, stateOf } from './user.ts'

export function userColumns(t: Texts, ownId: number): Column<User>[] {
  return [
    {
      id: 'id',
      title: t('column.id'),
      render: ({ id }) => <span className="number muted">{id}</span>,
    },
    {
      id: 'username',
      title: t('column.username'),
      isTitle: true,
      render: (user) => <Name user={user} isOwn={user.id === ownId} />,
    },
    { id: 'group', title: t('column.group'), render: ({ group }) => <Label>{group}</Label> },
    { id: 'role', title: t('column.role'), render: ({ role }) => <Role value={role} /> },
    {
      id: 'status',
      title: t('column.status'),
      card: 'status',
      render: (user) => <Status user={user} />,
    },
    {
      id: 'quota',
      title: t('column.quota'),
      align: 'right',
      sortKey: 'quota',
      card: 'fact',
      render: ({ quota }) => <Quota units={quota} isAligned />,
    },
    {
      id: 'used',
      title: t('column.used'),
      align: 'right',
      sortKey: 'used_quota',
      card: 'fact',
      render: ({ used_quota }) => <Quota units={used_quota} isAligned />,
    },
    {
      id: 'requests',
      title: t('column.requests'),
      align: 'right',
      sortKey: 'request_count',
      render: ({ request_count }) => <span className="number">{formatExact(request_count)}</span>,
    },
    { id: 'invites', title: t('column.invites'), render: (user) => <Invites user={user} /> },
    {
      id: 'email',
      title: t('column.email'),
      isOptional: true,
      render: ({ email }) => <Mail address={email} />,
    },
    {
      id: 'bound',
      title: t('column.bound'),
      isOptional: true,
      render: (user) => <Bound user={user} />,
    },
  ]
}

function Mail({ address }: { address: string }) {
  return (
    <span className="cut-text user-mail" title={address}>
      {address}
    </span>
  )
}

function Name({ user, isOwn }: { user: User; isOwn: boolean }) {
  const t = useTexts('users')
  const { username, display_name } = user
  const isGone = user.DeletedAt !== null
  const more = display_name && display_name !== username ? display_name : ''
  return (
    <span
      className={`user-name ${isGone ? 'muted user-gone' : ''}`}
      title={[username, more].filter(Boolean).join(', ')}
    >
      <span>{username}</span>
      {isOwn ? <small className="user-own">({t('you')})</small> : null}
      {more ? <small>{more}</small> : null}
    </span>
  )
}

function Role({ value }: { value: number }) {
  const t = useTexts('users')
  const name = t.has(`role.${value}`) ? t(`role.${value}`) : t('role.other', { role: value })
  return value >= role.admin ? <strong className="user-role">{name}</strong> : name
}

function Status({ user }: { user: User }) {
  const t = useTexts('users')
  const { key, tone } = stateOf(user)
  return <StatusTag tone={tone}>{t(`status.${key}`)}</StatusTag>
}

function Invites({ user }: { user: User }) {
  const t = useTexts('users')
  const style = useQuotaStyle()
  const { aff_count, aff_quota, aff_history_quota, inviter_id } = user
  if (aff_count === 0 && aff_history_quota === 0 && inviter_id === 0) {
    return <span className="muted">{t('noInvites')}</span>
  }
  const details = [
    t('inviteDetails', {
      total: formatWholeQuota(aff_history_quota, style),
      pending: formatWholeQuota(aff_quota, style),
    }),
    inviter_id > 0 ? t('invitedBy', { id: inviter_id }) : '',
  ]
  return (
    <Hint text={details.filter(Boolean).join(', ')}>
      <span className="number" tabIndex={0}>
        {aff_count > 0 ? t('invited', { count: aff_count }) : t('invitedBy', { id: inviter_id })}
      </span>
    </Hint>
  )
}

function Bound({ user }: { user: User }) {
  const t = useTexts('users')
  const bound = boundFields.filter((field) => user[field])
  if (bound.length === 0) return <span className="muted">{t('bound.none')}</span>
  return <Labels names={bound.map((field) => t(`bound.${field}`))} />
}
