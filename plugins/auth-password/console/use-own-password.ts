import { useNavigate } from 'react-router-dom'
import { api, confirm, useTexts } from '#console'

/** What the first step hands on to the second one, in the state of the page. */
export interface ByPassword {
  /** The account and password that older products made at their first start; databases that come from them may still hold it. */
  isOldDefault: boolean
}

/** Asks whoever has signed in by password for one of his own where somebody else made it. */
export function useOwnPassword(): (by: ByPassword) => Promise<void> {
  const t = useTexts('auth-password')
  const navigate = useNavigate()
  return async ({ isOldDefault }) => {
    const reason = isOldDefault ? 'defaultText' : await madeBySomebody()
    if (reason === undefined) return
    const isAgreed = await confirm({
      title: t('login.defaultTitle'),
      content: t(`login.${reason}`),
      confirmLabel: t('login.defaultOk'),
      cancelLabel: t('login.defaultLater'),
      isDanger: true,
    })
    if (isAgreed) await navigate('/personal')
  }
}

/** After a reset and a password that an admin has set. Not to know it keeps nobody from going on. */
async function madeBySomebody(): Promise<'madeText' | undefined> {
  const own = await api
    .get<{ password_made?: boolean }>('/api/user/self', { isQuiet: true })
    .catch(() => undefined)
  return own?.password_made ? 'madeText' : undefined
}
