import { useNavigate } from 'react-router-dom'
import { api } from '../api/client.ts'
import type { Action } from '../kit/lists/action.ts'
import { ActionMenu } from '../kit/lists/action-menu.tsx'
import { toast } from '../kit/toast.ts'
import { type SessionUser, useSession } from '../stores/session.ts'
import { useTexts } from '../texts/use-texts.ts'

export function AccountMenu({ user }: { user: SessionUser }) {
  const t = useTexts()
  const navigate = useNavigate()
  const name = user.display_name || user.username
  const logout: Action = {
    label: t('shell.logout'),
    run: async () => {
      await api.get('/api/user/logout')
      useSession.getState().signOut()
      toast.success(t('shell.loggedOut'))
      await navigate('/login')
    },
  }
  return (
    <ActionMenu actions={[logout]} label={t('shell.account', { name })}>
      <button type="button" className="avatar" aria-label={t('shell.account', { name })}>
        {Array.from(name)[0]?.toUpperCase()}
      </button>
    </ActionMenu>
  )
}
