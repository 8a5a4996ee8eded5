import { useCallback, useEffect, useRef, useState } from 'react'
import {
  api,
  Details,
  EditDrawer,
  Field,
  FormSection,
  messageOf,
  passwordRule,
  PasswordInput,
  Select,
  toast,
  useGroupNames,
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

type UserForm = Pick<User, 'id' | 'username' | 'display_name' | 'group'> &
  BalanceForm & { password: string }

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
  const { user, form, error, retry } = useUser(userId)
  const save = async (edited: UserForm) => {
    const { id, password } = edited
    await api.put('/api/user/', {
      id,
      ...namesToSet(edited, user),
      ...balanceToSet(edited, form?.quota),
      ...(password ? { password } : {}),
    })
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

/** Read once when the drawer opens: a refresh of the list must not replace what is typed. */
function useUser(id: number | undefined) {
  const [read, setRead] = useState<{ user?: User; form?: UserForm; error?: string }>({})
  const latest = useRef<AbortController>(undefined)
  const load = useCallback(() => {
    if (id === undefined) return
    const reading = new AbortController()
    latest.current = reading
    api
      .get<User>(`/api/user/${id}`, { isQuiet: true, signal: reading.signal })
      .then((user) => setRead({ user, form: formOf(user) }))
      .catch((fault: unknown) => {
        if (!reading.signal.aborted) setRead({ error: messageOf(fault) })
      })
  }, [id])
  useEffect(() => {
    load()
    return () => {
      latest.current?.abort()
      setRead({})
    }
  }, [load])
  const retry = () => {
    setRead({})
    load()
  }
  return { ...read, retry }
}

/** Only the fields that differ from the opened record: the user may have changed his name meanwhile, and another
 *  admin the group. */
function namesToSet({ username, display_name, group }: UserForm, user: User | undefined) {
  const typed = { username: username.trim(), display_name, group }
  const fields = Object.entries(typed) as [keyof typeof typed, string][]
  return Object.fromEntries(fields.filter(([name, value]) => value !== user?.[name]))
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
