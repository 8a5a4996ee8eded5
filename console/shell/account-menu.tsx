import { IconExport, IconUser } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router-dom'
import { api } from '../api/client.ts'
import { useOwnAccount } from '../api/own-data.ts'
import type { Action } from '../kit/lists/action.ts'
import { ActionMenu } from '../kit/lists/action-menu.tsx'
import { toast } from '../kit/toast.ts'
import { Quota } from '../kit/values/quota.tsx'
import { useRegistry } from '../registry/registry.ts'
import { mayAccess, type SessionUser, useSession } from '../stores/session.ts'
import { useTexts } from '../texts/use-texts.ts'

const accountPath = '/personal'
/** How often the balance is fetched while the menu is open, because calls are charged meanwhile. */
const refreshEveryMs = 10_000

/** The signed-in user, the balance, and links to the account and for signing out. */
export function AccountMenu({ user }: { user: SessionUser }) {
  const t = useTexts()
  const navigate = useNavigate()
  const hasAccount = useRegistry(({ screens }) => screens.some(({ path }) => path === accountPath))
  const name = user.display_name || user.username
  const account: Action = {
    label: t('shell.personal'),
    icon: <IconUser />,
    run: () => navigate(accountPath),
  }
  const logout: Action = {
    label: t('shell.logout'),
    icon: <IconExport />,
    run: async () => {
      await api.get('/api/user/logout')
      useSession.getState().signOut()
      toast.success(t('shell.loggedOut'))
      await navigate('/login')
    },
  }
  return (
    <ActionMenu
      actions={hasAccount ? [account, logout] : [logout]}
      label={t('shell.account', { name })}
      head={<Who user={user} name={name} />}
    >
      <button type="button" className="avatar" aria-label={t('shell.account', { name })}>
        {Array.from(name)[0]?.toUpperCase()}
      </button>
    </ActionMenu>
  )
}

function Who({ user, name }: { user: SessionUser; name: string }) {
  const t = useTexts()
  const self = useOwnAccount({ refetchEveryMs: refreshEveryMs })
  const role = mayAccess(user, 'root') ? 'root' : mayAccess(user, 'admin') ? 'admin' : 'user'
  return (
    <div className="account-facts">
      <p className="account-name">{name}</p>
      <p className="muted">{t(`shell.role.${role}`)}</p>
      <dl>
        <dt>{t('shell.balance')}</dt>
        <dd>{self.data ? <Quota units={self.data.quota} /> : '–'}</dd>
      </dl>
    </div>
  )
}
