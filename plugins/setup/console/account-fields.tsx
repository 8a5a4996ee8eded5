import { Input } from '@arco-design/web-react'
import {
  Field,
  fieldRule,
  nameLength,
  passwordLength,
  passwordRule,
  useTexts,
  PasswordInput,
} from '#console'

/** The first account, which is the super admin's. */
export function AccountFields({ password }: { password: () => string | undefined }) {
  const t = useTexts('setup')
  return (
    <>
      <Field
        name="username"
        label={t('setup.username')}
        rules={[checked((value) => value.trim() !== '', t('setup.usernameMissing'))]}
      >
        <Input autoComplete="username" maxLength={nameLength.max} autoFocus />
      </Field>
      <Field
        name="password"
        label={t('setup.password')}
        help={t('setup.passwordHelp', passwordLength)}
        isRequired
        rules={[passwordRule]}
      >
        <PasswordInput autoComplete="new-password" maxLength={passwordLength.max} />
      </Field>
      <Field
        name="confirmPassword"
        label={t('setup.confirmPassword')}
        rules={[checked((value) => value === (password() ?? ''), t('setup.passwordsDiffer'))]}
      >
        <PasswordInput autoComplete="new-password" maxLength={passwordLength.max} />
      </Field>
    </>
  )
}

/** Only the operator of the server knows the token, so nobody else can claim a fresh installation. */
export function TokenField() {
  const t = useTexts('setup')
  return (
    <Field name="setup_token" label={t('setup.token')} help={t('setup.tokenHelp')} isRequired>
      <PasswordInput autoComplete="off" />
    </Field>
  )
}

function checked(isSound: (value: string) => boolean, message: string) {
  return fieldRule<string>((value = '') => (isSound(value) ? undefined : message))
}
