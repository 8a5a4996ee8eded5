import { useRef } from 'react'
import {
  api,
  Details,
  EditDrawer,
  Field,
  FormSection,
  passwordRule,
  PasswordInput,
  Select,
  toast,
  useGroupNames,
  useOpenedRecord,
  useTexts,
} from '#console'
import {
  BalanceFields,
  type BalanceForm,
  balanceOf,
  balanceToAdd,
  balanceToSet,
} from './balance-fields.tsx'
import { boundFields, type User } from './user.ts'
import { NameFields } from './name-fields.tsx'

type Names = Pick<User, 'username' | 'display_name' | 'group'>
type UserForm = Names & Pick<User, 'id'> & BalanceForm & { password: string }

export function EditUserDrawer({
  userId,
  onClose,
  onSaved,
}: {
  userId: number | undefined
  onClose: () => void
  onSaved: () => Promise<unknown>
}) {
  const t = useTexts('users')
  const path = userId === undefined ? undefined : `/api/user/${userId}`
  const { record: user, form, error, retry } = useOpenedRecord(path, formOf)
  // The names go first. If the amount is refused after them, the next try begins from there.
  const written = useRef<Names & { of: User }>(undefined)
  const save = async (edited: UserForm) => {
    const { id, password } = edited
    const before = written.current?.of === user ? written.current : user
    const names = namesToSet(edited, before)
    await api.put('/api/user/', {
      id,
      ...names,
      shown: before && shownOf(names, before),
      ...balanceToSet(edited, form?.quota),
      ...(password ? { password } : {}),
    })
    if (user) written.current = { ...namesOf(edited), of: user }
    // Sent last, because repeating the call would add the amount again.
    const value = balanceToAdd(edited)
    if (value !== 0) await api.post('/api/user/manage', { id, action: 'change_quota', value })
    toast.success(t('saved'))
    await onSaved()
  }
  return (
    <EditDrawer<UserForm>
      hasAddress
      title={t('edit', { name: user?.username ?? `#${userId}` })}
      isOpen={userId !== undefined}
      onClose={onClose}
      initial={form}
      error={error}
      onRetry={retry}
      onSave={save}
      slot={{ id: 'user', record: user }}
    >
      <AccountFields />
      <GroupFields />
      {user ? (
        <FormSection title={t('section.bound')} hint={t('help.bound')}>
          <Details
            items={[
              { label: t('column.email'), value: user.email || '–' },
              ...boundFields.map((field) => ({
                label: t(`bound.${field}`),
                value: user[field] || '–',
              })),
            ]}
          />
        </FormSection>
      ) : null}
    </EditDrawer>
  )
}

/** Only the fields that differ from the opened record: the user may have changed his name meanwhile, and another
 *  admin the group. */
function namesToSet(edited: UserForm, before: Names | undefined) {
  const typed = namesOf(edited)
  const fields = Object.entries(typed) as [keyof Names, string][]
  return Object.fromEntries(fields.filter(([name, value]) => value !== before?.[name]))
}

function namesOf({ username, display_name, group }: UserForm): Names {
  return { username: username.trim(), display_name, group }
}

/** The same fields as they were opened: the edit is refused if another admin has changed one of them meanwhile. */
function shownOf(names: Partial<Names>, before: Names) {
  const fields = Object.keys(names) as (keyof Names)[]
  return Object.fromEntries(fields.map((name) => [name, before[name]]))
}

function formOf({ id, username, display_name, group, quota }: User): UserForm {
  return { id, username, display_name, group, password: '', ...balanceOf(quota) }
}

function AccountFields() {
  const t = useTexts('users')
  return (
    <FormSection title={t('section.account')}>
      <NameFields />
      <Field
        name="password"
        label={t('field.newPassword')}
        help={t('help.keepPassword')}
        rules={[passwordRule]}
      >
        <PasswordInput autoComplete="new-password" />
      </Field>
    </FormSection>
  )
}

function GroupFields() {
  const t = useTexts('users')
  const groups = useGroupNames()
  return (
    <FormSection title={t('section.balance')}>
      <Field name="group" label={t('field.group')} help={t('help.group')} isRequired>
        <Select choices={groups.data ?? []} source={groups} isSearchable />
      </Field>
      <BalanceFields />
    </FormSection>
  )
}
