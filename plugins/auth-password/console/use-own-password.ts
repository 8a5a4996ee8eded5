import { useNavigate } from 'react-router-dom'
import { api, confirm, useTexts } from '#console'

/** The first step passes this to the second one, in the state of the page. */
export interface ByPassword {
  /** The default account and password of older products, which imported databases may still contain. */
  isOldDefault: boolean
}

/** Asks a user who has signed in with a password that somebody else chose to set a new one. */
export function useOwnPassword(): (by: ByPassword) => Promise<void> {
  const t = useTexts('auth-password')
  const navigate = useNavigate()
  return async ({ isOldDefault }) => {
    const reason = isOldDefault ? 'defaultText' : await madeBySomebody()
    if (reason === undefined) return
    const isAgreed = await confirm(() => ({
      title: t('login.defaultTitle'),
      content: t(`login.${reason}`),
      confirmLabel: t('login.defaultOk'),
      cancelLabel: t('login.defaultLater'),
      isDanger: true,
    }))
    if (isAgreed) await navigate('/personal')
  }
}

/** After a reset, or where an admin has set the password. If this cannot be found out, the user continues. */
async function madeBySomebody(): Promise<'madeText' | undefined> {
  const own = await api
    .get<{ password_made?: boolean }>('/api/user/self', { isQuiet: true })
    .catch(() => undefined)
  return own?.password_made ? 'madeText' : undefined
}
