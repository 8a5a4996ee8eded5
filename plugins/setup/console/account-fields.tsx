import { Input } from '@arco-design/web-react'
import {
  Field,
  fieldRule,
  nameLength,
  NewPassword,
  PasswordInput,
  RepeatedPassword,
  useTexts,
} from '#console'

/** The first account, which is the super admin's. */
export function AccountFields() {
  const t = useTexts('setup')
  return (
    <>
      <Field
        name="username"
        label={t('setup.username')}
        rules={[
          fieldRule<string>((value = '') =>
            value.trim() === '' ? t('setup.usernameMissing') : undefined,
          ),
        ]}
      >
        <Input autoComplete="username" maxLength={nameLength.max} autoFocus />
      </Field>
      <NewPassword label={t('setup.password')} />
      <RepeatedPassword name="confirmPassword" />
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
