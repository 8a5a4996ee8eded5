import { IconSend } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router-dom'
import { api, MethodButton, type SessionUser, toast, useSession, useTexts } from '#console'
import { useTelegram } from './use-telegram.ts'

export default function SignInButton() {
  const t = useTexts('auth-telegram')
  const navigate = useNavigate()
  const ask = useTelegram()
  const signIn = async () => {
    const signed = await ask()
    if (!signed) return
    const query = Object.fromEntries(signed)
    const user = await api.get<SessionUser>('/api/oauth/telegram/login', { query })
    useSession.getState().signIn(user)
    toast.success(t('signedIn'))
    await navigate('/')
  }
  return <MethodButton name={t('name')} icon={IconSend} onPress={signIn} />
}
