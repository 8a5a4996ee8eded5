import { Input } from '@arco-design/web-react'
import { Field, nameLength, useTexts } from '#console'
import { usernameRule } from './user-rules.ts'

/** The names of an account: for signing in, and for display. */
export function NameFields() {
  const t = useTexts('users')
  return (
    <>
      <Field
        name="username"
        label={t('field.username')}
        help={t('help.username')}
        isRequired
        rules={[usernameRule(t)]}
      >
        <Input autoComplete="off" />
      </Field>
      <Field name="display_name" label={t('field.displayName')} help={t('help.displayName')}>
        <Input maxLength={nameLength.max} />
      </Field>
    </>
  )
}
