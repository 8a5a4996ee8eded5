import { Button, Input } from '@arco-design/web-react'
import { useEffect, useState } from 'react'
import {
  api,
  Details,
  EditDrawer,
  Field,
  FormSection,
  formatQuota,
  messageOf,
  QuotaInput,
  Select,
  toast,
  unitsOf,
  useData,
  useQuotaStyle,
  useTexts,
} from '#console'
import { boundFields, type User } from './user.ts'
import { passwordRule, usernameRule } from './user-rules.ts'

type UserForm = Pick<User, 'id' | 'username' | 'display_name' | 'group' | 'quota'> & {
  password: string
}

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
  const { user, form, error } = useUser(userId)
  const save = async (edited: UserForm) => {
    const { id, username, display_name, password, group, quota } = edited
    // An untouched balance is left out: the user may have spent in the meantime.
    const balance = quota === form?.quota ? {} : { quota }
    await api.put('/api/user/', {
      id,
      username: username.trim(),
      display_name,
      group,
      ...balance,
      ...(password ? { password } : {}),
    })
    toast.success(t('saved'))
    await onSaved()
  }
  return (
    <EditDrawer<UserForm>
      title={t('edit', { name: user?.username ?? `#${userId}` })}
      isOpen={userId !== undefined}
      onClose={onClose}
      initial={form}
      error={error}
      onSave={save}
    >
      <AccountFields />
      <BalanceFields />
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

/** Read once an opening: a refresh behind the drawer must not take away what is typed. */
function useUser(id: number | undefined) {
  const [read, setRead] = useState<{ user?: User; form?: UserForm; error?: string }>({})
  useEffect(() => {
    if (id === undefined) return undefined
    const reading = new AbortController()
    api
      .get<User>(`/api/user/${id}`, { isQuiet: true, signal: reading.signal })
      .then((user) => setRead({ user, form: formOf(user) }))
      .catch((fault: unknown) => {
        if (!reading.signal.aborted) setRead({ error: messageOf(fault) })
      })
    return () => {
      reading.abort()
      setRead({})
    }
  }, [id])
  return read
}

function formOf({ id, username, display_name, group, quota }: User): UserForm {
  return { id, username, display_name, group, quota, password: '' }
}

function AccountFields() {
  const t = useTexts('users')
  return (
    <FormSection title={t('section.account')}>
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
        <Input maxLength={64} />
      </Field>
      <Field
        name="password"
        label={t('field.newPassword')}
        help={t('help.keepPassword')}
        rules={[passwordRule(t)]}
      >
        <Input.Password autoComplete="new-password" />
      </Field>
    </FormSection>
  )
}

function BalanceFields() {
  const t = useTexts('users')
  const groups = useData<string[]>('/api/group/', { staleMs: 60_000 })
  return (
    <FormSection title={t('section.balance')}>
      <Field name="group" label={t('field.group')} help={t('help.group')} isRequired>
        <Select choices={groups.data ?? []} isLoading={groups.isLoading} isSearchable />
      </Field>
      <Field
        name="quota"
        label={t('field.quota')}
        help={t('help.quota')}
        rules={[
          {
            validator: (value: number | undefined, answer) =>
              answer(value !== undefined && value >= 0 ? undefined : t('fault.quota')),
          },
        ]}
      >
        <BalanceInput />
      </Field>
    </FormSection>
  )
}

const amountsToAdd = [1, 10, 50, 100, 500, 1000]

/** The balance, with buttons that add to it. */
function BalanceInput(props: {
  id?: string
  value?: number
  onChange?: (units: number | undefined) => void
}) {
  const t = useTexts('users')
  const style = useQuotaStyle()
  return (
    <div className="user-balance">
      <QuotaInput {...props} />
      <div className="quota-presets" role="group" aria-label={t('adjust.label')}>
        {amountsToAdd.map((dollars) => {
          const units = unitsOf(dollars, style.quotaPerUnit)
          return (
            <Button
              key={dollars}
              size="mini"
              onClick={() => props.onChange?.((props.value ?? 0) + units)}
            >
              {t('adjust.add', { amount: formatQuota(units, style) })}
            </Button>
          )
        })}
      </div>
    </div>
  )
}
