import { api } from '../api/client.ts'
import { usePreferences } from '../stores/preferences.ts'
import { useSession } from '../stores/session.ts'

/** Keeps with the account which language its person reads: mails and notices are written in it. At a sign-in and at each switch; returns the disposer. */
export function keepLanguage(): () => void {
  const ends = [
    usePreferences.subscribe(({ language, isLanguageFollowed }, before) => {
      if (language !== before.language && !isLanguageFollowed) keep()
    }),
    useSession.subscribe(({ user }, before) => {
      if (user && user.id !== before.user?.id) keep()
    }),
  ]
  return () => ends.forEach((end) => end())
}

function keep(): void {
  if (!useSession.getState().user) return
  const { language } = usePreferences.getState()
  // Where it is not kept, the next switch or sign-in does it: nothing that a person has to hear of.
  api.put('/api/user/self', { language }, { isQuiet: true }).catch(() => undefined)
}
