import { IconSend } from '@arco-design/web-react/icon'
import { api, MethodButton, type SignInAnswer, useSignInAnswer, useTexts } from '#console'
import { useTelegram } from './use-telegram.ts'

export default function SignInButton() {
  const t = useTexts('auth-telegram')
  const finish = useSignInAnswer()
  const ask = useTelegram()
  const signIn = async () => {
    const signed = await ask()
    if (!signed) return
    const query = Object.fromEntries(signed)
    await finish(await api.get<SignInAnswer>('/api/oauth/telegram/login', { query }))
  }
  return <MethodButton name={t('name')} icon={IconSend} onPress={signIn} />
}
