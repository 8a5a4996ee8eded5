import { IconSend } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router-dom'
import {
  api,
  finishSignIn,
  MethodButton,
  secondFactorPath,
  type SignInAnswer,
  toast,
  useTexts,
} from '#console'
import { useTelegram } from './use-telegram.ts'

export default function SignInButton() {
  const t = useTexts('auth-telegram')
  const navigate = useNavigate()
  const ask = useTelegram()
  const signIn = async () => {
    const signed = await ask()
    if (!signed) return
    const query = Object.fromEntries(signed)
    const answer = await api.get<SignInAnswer>('/api/oauth/telegram/login', { query })
    if (!finishSignIn(answer)) return navigate(secondFactorPath)
    toast.success(t('signedIn'))
    await navigate('/')
  }
  return <MethodButton name={t('name')} icon={IconSend} onPress={signIn} />
}
