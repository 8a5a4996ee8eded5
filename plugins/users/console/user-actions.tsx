import {
  type Action,
  api,
  formatWholeQuota,
  type List,
  type Texts,
  toast,
  useQuotaStyle,
} from '#console'
import type { User } from '../schema.ts'
import { actionsFor, type ManageAction, mayReach, mayResetFactor } from './user-rights.ts'

export interface UserTools {
  t: Texts
  list: Pick<List<User>, 'refresh'>
  ownRole: number
  edit: (user: User) => void
}

export function userActions(user: User, tools: UserTools): Action[] {
  const { t, ownRole, edit } = tools
  if (!mayReach(ownRole, user)) return []
  return [
    { label: t('action.edit'), run: () => edit(user) },
    ...actionsFor(ownRole, user).map((action) => manageAction(user, action, tools)),
    ...(mayResetFactor(ownRole, user) ? [factorAction(user, tools)] : []),
  ]
}

/** For users who have lost the phone and the recovery codes. */
function factorAction({ id, username: name }: User, { t }: UserTools): Action {
  return {
    label: t('action.resetFactor'),
    confirm: () => ({
      title: t('ask.resetFactor', { name }),
      content: t('ask.resetFactorText'),
      confirmLabel: t('action.resetFactor'),
      isDanger: true,
    }),
    run: async () => {
      await api.delete(`/api/user/${id}/2fa`)
      toast.success(t('done.resetFactor', { name }))
    },
  }
}

function manageAction(user: User, action: ManageAction, { t, list }: UserTools): Action {
  const name = user.username
  const isDanger = action === 'delete'
  return {
    label: t(`action.${action}`),
    isDanger,
    confirm: () => ({
      title: t(`ask.${action}`, { name }),
      content: isDanger ? <DeleteText user={user} t={t} /> : t(`ask.${action}Text`),
      confirmLabel: t(`action.${action}`),
      isDanger: isDanger || action === 'disable',
      typeToConfirm: isDanger ? name : undefined,
    }),
    run: async () => {
      await api.post('/api/user/manage', { id: user.id, action })
      toast.success(t(`done.${action}`, { name }))
      await list.refresh()
    },
  }
}

/** The question names what is lost, including the balance. */
function DeleteText({ user, t }: { user: User; t: Texts }) {
  return t('ask.deleteText', { quota: formatWholeQuota(user.quota, useQuotaStyle()) })
}
