import { Button } from '@arco-design/web-react'
import { Link } from 'react-router-dom'
import { Details, Dialog, formatExact, Label, Loaded, Quota, useData, useTexts } from '#console'
import type { CallOwner } from '../schema.ts'

/** The user who made the call; for admins. */
export function UserDialog({
  userId,
  name,
  onFilter,
  onClose,
}: {
  userId: number
  name: string
  onFilter: () => void
  onClose: () => void
}) {
  const t = useTexts('logs')
  const owner = useData<CallOwner>(`/api/user/${userId}`)
  return (
    <Dialog title={t('user.title', { name })} onClose={onClose}>
      <Loaded from={owner}>
        {(user) => (
          <>
            <Details
              items={[
                { label: t('user.id'), value: user.id },
                { label: t('user.displayName'), value: user.display_name },
                { label: t('user.group'), value: <Label>{user.group}</Label> },
                { label: t('user.email'), value: user.email },
                { label: t('user.quota'), value: <Quota units={user.quota} /> },
                { label: t('user.used'), value: <Quota units={user.used_quota} /> },
                { label: t('user.requests'), value: formatExact(user.request_count) },
              ]}
            />
            <p className="log-user-link">
              <Button type="text" onClick={onFilter}>
                {t('user.filter')}
              </Button>
              <Link to={`/user/edit/${user.id}`}>{t('user.edit')}</Link>
            </p>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
