import { Input } from '@arco-design/web-react'
import { type BotCheckState, Field, MailedCode, useTexts } from '#console'

const MAX_EMAIL = 50

/** The address and the code that was mailed to it, if addresses are verified. */
export function EmailFields({ run }: { run: BotCheckState['run'] }) {
  const t = useTexts('auth-password')
  return (
    <>
      <Field name="email" label={t('register.email')} isRequired>
        <Input type="email" autoComplete="email" maxLength={MAX_EMAIL} size="large" />
      </Field>
      <MailedCode name="verification_code" run={run} size="large" />
    </>
  )
}
